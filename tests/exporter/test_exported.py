# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of torch.export as a source."""

import os
import zipfile

import torch
from apertune_exporter.artifact.manifest import reference_inputs
from models import tiny, tokens
from support import Case, run


class Exported(Case):
    def save(self, model, args, kwargs=None, name="program.pt2", **options):
        program = torch.export.export(model.eval(), args, kwargs, **options)
        torch.export.save(program, self.path(name))
        return self.path(name)

    def assert_gives_what(self, model, manifest, tolerance=1e-5):
        module = torch.jit.load(os.path.join(self.path("model"), "model.ts.pt"))
        for batch in (1, 3) if manifest["dynamic_batch"] else (1,):
            inputs = reference_inputs(self.path("model"), manifest, batch)
            with torch.no_grad():
                torch.testing.assert_close(module(*inputs), model.eval()(*inputs), rtol=tolerance, atol=tolerance)

    def test_a_program_with_an_open_batch_is_imported_with_it(self):
        model, image = tiny()
        batch = torch.export.Dim("batch", min=1, max=64)
        file = self.save(model, (torch.cat([image, image]),), dynamic_shapes=({0: batch},))
        manifest = self.export(file)
        self.assertEqual((manifest["name"], manifest["weights"]), ("program", "file program.pt2"))
        self.assertEqual([i["shape"] for i in manifest["inputs"]], [[1, 3, 32, 32]])
        self.assertTrue(manifest["dynamic_batch"] and manifest["files"]["exported"]["dynamic_batch"])
        self.assert_gives_what(model, manifest)

    def test_a_program_with_a_fixed_batch_says_so(self):
        model, image = tiny()
        manifest = self.export(self.save(model, (image,)))
        self.assertFalse(manifest["dynamic_batch"])
        self.assertIn("runs only at the batch it was given", " ".join(manifest["notes"]))
        self.assert_gives_what(model, manifest)

    def test_keywords_and_integers_of_the_example_are_taken_over(self):
        model, (ids, mask) = tokens()
        manifest = self.export(self.save(model, (ids[:1],), {"mask": mask[:1]}))
        self.assertEqual([i["name"] for i in manifest["inputs"]], ["ids", "mask"])
        got, _ = reference_inputs(self.path("model"), manifest, 1)
        self.assertTrue(torch.equal(got, ids[:1]))
        self.assert_gives_what(model, manifest)

    def test_a_program_in_half_precision_is_widened(self):
        model, image = tiny()
        manifest = self.export(self.save(model.half(), (image.half(),)))
        self.assertEqual([i["dtype"] for i in manifest["inputs"]], ["float32"])
        self.assertIn("widened to float32", " ".join(manifest["notes"]))
        self.assert_gives_what(model.float(), manifest)

    def test_an_example_of_zeros_is_replaced_by_images_that_differ(self):
        model, image = tiny()
        manifest = self.export(self.save(model, (torch.zeros_like(image),)))
        self.assertGreater(float(reference_inputs(self.path("model"), manifest, 1)[0].std()), 0.1)

    def test_a_program_that_this_torch_cannot_read_is_refused_in_a_sentence(self):
        model, image = tiny()
        file = self.save(model, (image,))
        with zipfile.ZipFile(file) as whole, zipfile.ZipFile(self.path("later.pt2"), "w") as later:
            for name in whole.namelist():
                data = whole.read(name)
                later.writestr(name, data.replace(b"aten.conv2d", b"aten.conv9d") if name.endswith(".json") else data)
        self.assert_import_refused("unsupported", self.path("later.pt2"), contains=("torch.export", torch.__version__))

    def test_a_program_cut_anywhere_is_refused(self):
        model, image = tiny()
        with open(self.save(model, (image,)), "rb") as stream:
            data = stream.read()
        for i in range(12):
            cut = self.path("cut.pt2")
            with open(cut, "wb") as stream:
                stream.write(data[: 1 + (len(data) - 2) * i // 11])
            self.assert_import_refused("truncated", cut)

    def test_options_of_other_sources_are_refused(self):
        file = self.save(tiny()[0], (tiny()[1],))
        torch.save(tiny()[0].state_dict(), self.path("w.pth"))
        self.assert_import_refused("unsupported", file, "--weights", self.path("w.pth"), contains="weights in it")
        self.assert_import_refused("unsupported", file, "--input-shape", "1x3x32x32", contains="--input-shape")
        status, last = run("export", file, "--out", self.path("model"), "--name", "mine")
        self.assertEqual((status, last["name"]), (0, "mine"))
