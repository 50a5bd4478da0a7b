# SPDX-License-Identifier: GPL-3.0-or-later
"""Models that change their input, keep state, draw random numbers or work in Python are recognized, named and handled."""

import os

import torch
from apertune_exporter.artifact.manifest import reference_inputs
from apertune_exporter.artifact.program_file import load_program
from support import Case, run, source


class Behaviour(Case):
    def exported(self, name):
        """(manifest, TorchScript, reference inputs) of a model."""
        manifest = self.export(source(name))
        script = torch.jit.load(os.path.join(self.path("model"), "model.ts.pt"))
        return manifest, script, reference_inputs(self.path("model"), manifest, 1)

    def assert_note(self, manifest, *parts):
        self.assertTrue(
            any(all(part in note for part in parts) for note in manifest["notes"]), f"{parts} in {manifest['notes']}"
        )

    def test_state_in_a_buffer_is_named_and_kept_and_begins_as_the_callable_made_it(self):
        manifest, script, inputs = self.exported("stateful")
        self.assertEqual(manifest["state"], ["count"])
        self.assert_note(manifest, "keeps state from pass to pass in count")
        with torch.no_grad():
            passes = [script(*inputs) for _ in range(3)]
        torch.testing.assert_close(passes[1], 2 * passes[0])
        torch.testing.assert_close(passes[2], 3 * passes[0])
        self.assertEqual(float(dict(script.named_buffers())["count"]), 3)
        self.assertTrue(manifest["dynamic_batch"])
        self.assertIsNone(manifest["files"]["exported"])
        self.assert_note(manifest, "torch.export is left out", "keeps state")
        self.assertFalse(any("other samples" in note for note in manifest["notes"]), manifest["notes"])

    def test_a_counter_in_python_that_can_be_scripted_is_kept(self):
        manifest, script, inputs = self.exported("stateful_in_python")
        self.assertEqual(manifest["state"], ["calls"])
        self.assertEqual(script.calls, 0)
        with torch.no_grad():
            passes = [script(*inputs) for _ in range(2)]
        torch.testing.assert_close(passes[1], 2 * passes[0])

    def test_state_that_torchscript_loses_is_refused(self):
        status, record = run("export", source("stateful_in_a_list"), "--out", self.path("model"))
        self.assertEqual((status, record["code"]), (2, "unsupported"), record)
        self.assertIn("keeps state from pass to pass (seen)", record["message"])
        self.assertIn("in a buffer", record["hint"])

    def test_state_that_follows_the_input_is_state(self):
        for name, buffer in (("keeps_its_input", "last"), ("keeps_the_largest_value", "largest")):
            manifest = self.export(source(name))
            self.assertEqual((manifest["state"], manifest["files"]["exported"]), ([buffer], None), manifest["notes"])
        for name, attribute in (
            ("keeps_recent_means", "recent"),
            ("counts_in_an_object", "tally"),
            ("keeps_its_input_in_an_attribute", "last"),
        ):
            manifest = self.export(source(name))
            self.assertEqual((manifest["state"], manifest["files"]["exported"]), ([attribute], None), manifest["notes"])
            self.assert_note(manifest, "The model was scripted, because tracing cannot take it")

    def test_a_model_may_keep_state_and_draw_random_numbers(self):
        manifest = self.export(source("counts_and_draws"))
        self.assertEqual((manifest["state"], manifest["random"]), (["count"], True), manifest["notes"])
        self.assert_note(manifest, "draws random numbers", "randn_like")

    def test_what_changes_without_an_effect_on_the_outputs_is_no_state(self):
        manifest = self.export(source("remembers"))
        self.assertEqual((manifest["state"], manifest["random"]), ([], False))
        self.assertIsNotNone(manifest["files"]["exported"], manifest["notes"])

    def test_a_model_that_changes_its_input_gets_a_copy(self):
        manifest, script, inputs = self.exported("changes_its_input")
        self.assert_note(manifest, "changes its input image.", "a copy")
        before = [tensor.clone() for tensor in inputs]
        with torch.no_grad():
            first, second = script(*inputs), script(*inputs)
        torch.testing.assert_close(first, second)
        self.assertTrue(all(torch.equal(a, b) for a, b in zip(before, inputs)), "the inputs are as they were")
        program = load_program(self.path("model"), manifest).module()
        torch.testing.assert_close(program(*inputs), first)
        self.assertTrue(all(torch.equal(a, b) for a, b in zip(before, inputs)))
        self.assertEqual(manifest["layers"][0]["name"], "net.0")

    def test_the_reference_inputs_are_those_that_were_given(self):
        from models import changes_its_input

        _, _, inputs = self.exported("changes_its_input")
        torch.manual_seed(0)  # the exporter sets this seed, too
        given = changes_its_input()[1][0]
        self.assertLess(float((inputs[0] - given).abs().max()), 1e-6)

    def test_random_numbers_are_seeded_for_comparisons(self):
        for name, operator in (("draws", "rand_like"), ("dropout_on", "Dropout may have been left on")):
            manifest, script, inputs = self.exported(name)
            self.assertTrue(manifest["random"], name)
            self.assert_note(manifest, "draws random numbers", operator)
            self.assertTrue(manifest["dynamic_batch"], manifest["notes"])
            self.assertFalse(any("could not be compared" in note for note in manifest["notes"]))
            with torch.no_grad():
                torch.manual_seed(4)
                first, other = script(*inputs), script(*inputs)
                torch.manual_seed(4)
                torch.testing.assert_close(script(*inputs), first)
            self.assertFalse(torch.equal(first, other))
            self.assert_note(manifest, "torch.export is left out", "random")

    def test_work_in_python_that_a_trace_leaves_out_is_told(self):
        manifest = self.export(source("sleeps"))
        self.assert_note(manifest, "leaves out: time.sleep (0.2", " s a pass, models.py line ", ", print (")
        self.assertFalse(manifest["random"] or manifest["state"])

    def test_a_cause_that_cannot_be_seen_is_told_as_such(self):
        manifest = self.export(source("asks_the_clock"))
        self.assert_note(manifest, "Two runs of the model on one input differ", "the time")
        self.assertFalse(any("other samples of its batch" in note for note in manifest["notes"]))

    def test_an_ordinary_model_has_none_of_it(self):
        manifest = self.export(source("tiny"))
        self.assertEqual((manifest["notes"], manifest["state"], manifest["random"]), ([], [], False))
