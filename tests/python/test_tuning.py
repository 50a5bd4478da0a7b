# SPDX-License-Identifier: GPL-3.0-or-later
"""Tunes modules of this process with real engines."""

import os
import signal
import threading

import torch

import apertune
from support import AtHome


class Net(torch.nn.Module):
    """A class that no file of a source could import."""

    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(
            torch.nn.Conv2d(3, 8, 3, padding=1), torch.nn.BatchNorm2d(8), torch.nn.ReLU(), torch.nn.AdaptiveAvgPool2d(1),
            torch.nn.Flatten(), torch.nn.Linear(8, 10))

    def forward(self, image, scale=1.0):
        return self.layers(image) * scale


def small(**options):
    return {"batches": 1, "threads": 1, "precisions": "fp32", "backends": "libtorch", "levels": "O0,O1", "progress": False, **options}


class Tuning(AtHome):
    def test_a_module_is_tuned_and_stays_as_it_was(self):
        torch.manual_seed(3)
        net = Net().train()
        before = {name: value.clone() for name, value in net.state_dict().items()}
        torch.backends.mha.set_fastpath_enabled(True)
        image = torch.randn(1, 3, 32, 32)
        random = torch.random.get_rng_state()
        lines = []
        study = apertune.tune(net, image, store=self.store, budget="30s", **small(progress=lines.append))
        self.assertEqual(study.model, "Net")
        self.assertEqual({trial.state for trial in study.trials}, {"ok"})
        self.assertTrue(any("O1 fp32" in line for line in lines), lines)
        self.assertTrue(study.best or study.shortlist)

        self.assertTrue(net.training)
        for name, value in net.state_dict().items():
            self.assertTrue(torch.equal(value, before[name]), name)
        self.assertTrue(torch.backends.mha.get_fastpath_enabled())
        self.assertTrue(torch.equal(torch.random.get_rng_state(), random))

        self.assertEqual(apertune.open_study(study.id, self.store).document["trials"], study.document["trials"])
        written = study.trials[0].export(self.home / "out", target="json")
        self.assertTrue((self.home / "out").is_dir(), written)
        plan = apertune.tune(net, image, store=self.store, dry_run=True, **small())
        self.assertEqual(plan["schema"], "apertune.plan/1")
        models = self.home / "xdg_data_home" / "apertune" / "models"
        self.assertEqual(len(list(models.iterdir())), 1, "the same weights are the same model")
        with torch.no_grad():
            net.layers[0].weight.mul_(2)
        other = apertune.tune(net, image, store=self.store, dry_run=True, **small())
        self.assertEqual((plan["model"], other["model"]), ("Net", "Net-2"))
        with self.assertRaisesRegex(apertune.ApertuneError, "already another model named Net"):
            apertune.tune(net, image, name="Net", store=self.store, dry_run=True, **small())

    def test_arguments_may_be_named(self):
        study = apertune.tune(Net(), {"image": torch.randn(2, 3, 16, 16), "scale": torch.tensor(2.0)}, name="scaled",
                              store=self.store, budget="15s", **small(levels="O0"))
        self.assertEqual(study.model, "scaled")

    def test_a_module_that_fails_is_refused_with_its_reason(self):
        with self.assertRaisesRegex(apertune.ApertuneError, "fails on its example inputs"):
            apertune.tune(Net(), torch.randn(1, 4, 8, 8), store=self.store, **small())
        with self.assertRaises(TypeError):
            apertune.tune(Net(), store=self.store, **small())
        with self.assertRaises(TypeError):
            apertune.tune("squeezenet1_1", torch.randn(1), store=self.store, **small())
        models = self.home / "xdg_data_home" / "apertune" / "models"
        self.assertEqual(list(models.iterdir()), [], "nothing half-made is left")

    def test_an_interrupt_leaves_a_study_that_can_be_resumed(self):
        begun = threading.Event()

        def interrupt(line):
            if "O0 fp32" in line and not begun.is_set():
                begun.set()
                os.kill(os.getpid(), signal.SIGINT)

        with self.assertRaises(KeyboardInterrupt):
            apertune.tune(Net(), torch.randn(1, 3, 32, 32), store=self.store, budget="2m",
                          **small(levels="O0,O1,O2", batches="1,2,4", progress=interrupt))
        study = apertune.open_study(store=self.store)
        self.assertTrue(study.best is None and "interrupted" in study.note, study.note)
        self.assertEqual(apertune.tune(resume=study.id, store=self.store, budget="15s", progress=False).id, study.id)
