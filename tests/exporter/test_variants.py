# SPDX-License-Identifier: GPL-3.0-or-later
"""Variants of a source: the module runs in slices or on tiles, beside the base that it is measured against."""

import json
import os
import unittest
import unittest.mock

import models
import torch
from apertune_exporter.artifact.manifest import reference_inputs
from apertune_exporter.nets import sliced, tiled
from support import Case, source


class Variants(Case):
    def variant(self, what, *options):
        """(manifest, outputs of the variant, outputs of its base) of a successful export."""
        manifest = self.export(what, *options)
        folder = self.path("model")
        base = os.path.join(folder, "base")
        with open(os.path.join(base, "manifest.json"), encoding="utf-8") as stream:
            whole = json.load(stream)
        self.assertEqual(manifest["source"], what)
        self.assertEqual(whole["source"], what.split(":", 2)[2])
        self.assertEqual(whole["content_hash"], manifest["files"]["base"]["sha256"])
        self.assertEqual(whole["outputs"], manifest["outputs"])
        note = " ".join(manifest["notes"])
        self.assertIn("Quality is measured against the outputs of that model", note)
        self.assertIn(whole["content_hash"][:12], note)
        inputs = reference_inputs(folder, manifest, 2 if manifest["dynamic_batch"] else 1)
        found = []
        for part in (folder, base):
            with torch.no_grad():
                outputs = torch.jit.load(os.path.join(part, "model.ts.pt"))(*inputs)
            found.append([outputs] if isinstance(outputs, torch.Tensor) else list(outputs))
        return manifest, *found

    def assert_sliced(self, what, *options):
        manifest, slices, whole = self.variant(what, *options)
        for one, other in zip(slices, whole, strict=True):
            torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5)
        return manifest

    def calls(self, folder):
        """Calls of attention in the TorchScript of a folder below the artifact."""
        script = torch.jit.load(os.path.join(self.path("model"), folder, "model.ts.pt"))
        return str(script.inlined_graph).count("aten::scaled_dot_product_attention(")

    def test_a_model_of_timm_in_slices_gives_what_it_gives_as_a_whole(self):
        manifest = self.assert_sliced("sliced:3:timm:vit_tiny_patch16_224@32")
        self.assertEqual((self.calls("base"), self.calls("")), (12, 36))
        self.assertTrue(manifest["files"]["exported"]["dynamic_batch"])
        self.assertNotIn("decides something", " ".join(manifest["notes"]))

    def test_multi_head_attention_masks_and_programs_are_sliced_too(self):
        self.assert_sliced(f"sliced:4:{source('self_attention')}")
        self.assertEqual(self.calls(""), 4)
        self.assert_sliced(f"sliced:4:{source('masked_attention')}")
        self.assertEqual(self.calls(""), 12)
        self.assert_sliced(f"sliced:4:{source('imported_attention')}")
        self.assertEqual(self.calls(""), 4)
        program = torch.export.export(models.Attention().eval(), (torch.randn(2, 32, 16),),
                                      dynamic_shapes=({0: torch.export.Dim("batch")},))
        torch.export.save(program, self.path("attention.pt2"))
        self.assert_sliced(f"sliced:2:{self.path('attention.pt2')}")
        self.assertEqual((self.calls("base"), self.calls("")), (1, 2))

    def test_a_torchscript_file_is_sliced(self):
        module, example = models.attention()
        script = torch.jit.trace(module.eval(), example)
        torch.jit.save(script, self.path("attention.pt"), _extra_files={"inputs.json": json.dumps([[1, 32, 16]])})
        self.assert_sliced(f"sliced:4:{self.path('attention.pt')}")
        self.assertEqual((self.calls("base"), self.calls("")), (1, 4))

    def test_a_segmentation_network_on_tiles_comes_close_to_the_whole(self):
        manifest, tiles, whole = self.variant("tiled:96x32:torchvision:lraspp_mobilenet_v3_large@128")
        self.assertIn("4 tiles, blended", " ".join(manifest["notes"]))
        self.assertEqual([o["name"] for o in manifest["outputs"]], ["out"])
        cosine = torch.nn.functional.cosine_similarity(tiles[0].flatten(), whole[0].flatten(), 0)
        self.assertGreater(cosine, 0.9)
        self.assertGreater((tiles[0] - whole[0]).abs().max(), 1e-4)

    def test_outputs_of_several_scales_are_blended_each_at_its_own(self):
        manifest, tiles, whole = self.variant(f"tiled:32x8:{source('two_scales')}")
        self.assertEqual({o["name"]: o["shape"][2:] for o in manifest["outputs"]}, {"large": [128, 192], "small": [16, 24]})
        for one, other in zip(tiles, whole, strict=True):
            self.assertGreater(torch.nn.functional.cosine_similarity(one.flatten(), other.flatten(), 0), 0.99)

    def test_a_torchscript_file_runs_on_tiles(self):
        module, example = models.two_scales()
        script = torch.jit.trace(module.eval(), example, strict=False)
        torch.jit.save(script, self.path("scales.pt"), _extra_files={"inputs.json": json.dumps([[1, 3, 64, 96]])})
        manifest, tiles, whole = self.variant(f"tiled:32x8:{self.path('scales.pt')}")
        self.assertIn("12 tiles", " ".join(manifest["notes"]))
        self.assertGreater(torch.nn.functional.cosine_similarity(tiles[0].flatten(), whole[0].flatten(), 0), 0.99)

    def test_what_does_not_fit_slices_is_refused_with_the_reason(self):
        for what, reason in (("torchvision:resnet18@64", "no attention that can be sliced"),
                             (source("windows"), "no attention that can be sliced"),
                             (source("attention_weights"), "return the weights of attention")):
            self.assert_import_refused("unsupported", f"sliced:2:{what}", contains=reason)
        self.assert_import_refused("unsupported", f"sliced:40:{source('self_attention')}", contains=["33 queries", "Use 33"])
        module, example = models.tiny()
        torch.jit.save(torch.jit.trace(module.eval(), example), self.path("tiny.pt"),
                       _extra_files={"inputs.json": json.dumps([[1, 3, 32, 32]])})
        self.assert_import_refused("unsupported", f"sliced:2:{self.path('tiny.pt')}", contains="The script has no attention")

    def test_what_does_not_fit_tiles_is_refused_with_the_reason(self):
        for what, reason in (("torchvision:resnet18@64", "1×1000 for a tile of 32 × 32"),
                             (source("two_in"), "tiles are cut from one image"),
                             (source("attention"), "tiles are cut from one image"),
                             (source("fixed_size"), "fails on an image of 32 × 32")):
            self.assert_import_refused("unsupported", f"tiled:32x8:{what}", contains=reason)
        self.assert_import_refused("unsupported", f"tiled:128x8:{source('two_scales')}", contains="no larger than a tile")
        self.assert_import_refused("unsupported", f"tiled:8x4:{source('two_scales')}", contains=["more than 64", "larger tiles"])
        self.assert_import_refused("unsupported", f"tiled:30x8:{source('two_scales')}", contains="proportional size")

    def test_models_that_have_no_variant_at_all_are_refused(self):
        self.assert_import_refused("unsupported", "tiled:64x8:zoo:unet_tiled@160", contains="already computes another model")
        self.assert_import_refused("unsupported", "tiled:64x8:torchvision:ssdlite320_mobilenet_v3_large",
                                   contains="control flow")
        self.assert_import_refused("unsupported", "sliced:2:tiled:64x8:zoo:unet", contains="variant of a variant")
        open(self.path("net.onnx"), "wb").close()
        self.assert_import_refused("unsupported", f"tiled:64x8:{self.path('net.onnx')}", contains="file of an engine")
        self.assert_import_refused("unsupported", f"tiled:32x8:{source('stateful')}", contains="other outputs in each pass")

    def test_a_mistyped_variant_is_told_its_form(self):
        for what in ("sliced:1:zoo:unet", "sliced:x:zoo:unet", "sliced:2", "sliced:2:"):
            self.assert_import_refused("bad_source", what, contains="sliced:N:SOURCE")
        for what in ("tiled:64:zoo:unet", "tiled:32x32:zoo:unet", "tiled:-1x2:zoo:unet"):
            self.assert_import_refused("bad_source", what, contains="tiled:SIZExOVERLAP:SOURCE")
        self.assert_import_refused("unknown_architecture", "sliced:2:timm:no_such_model")


class Memory(unittest.TestCase):
    def test_scores_of_one_slice_at_a_time(self):
        module, example = models.attention()
        with torch.no_grad():
            net = sliced.Sliced(module.eval(), 5, (example,))
            with unittest.mock.patch.object(sliced, "_ATTEND", unittest.mock.Mock(wraps=sliced._ATTEND)) as attend:
                net(example)
        self.assertEqual([call.args[0].shape[-2] for call in attend.call_args_list], [7, 7, 6, 6, 6])

    def test_the_names_of_torch_are_put_back(self):
        def names():
            functional = torch.nn.functional
            return functional.scaled_dot_product_attention, functional.multi_head_attention_forward

        before = names()
        module, example = models.fixed_size()
        with self.assertRaises(RuntimeError):
            sliced.Sliced(module, 2, (example[:, :, :8],))
        self.assertEqual(names(), before)

    def test_tiles_of_a_network_that_shrinks_begin_with_a_whole_pixel_of_its_result(self):
        net = tiled.Tiled(torch.nn.AvgPool2d(4), 48, 100, 20, 4, 1 / 4)
        self.assertTrue(all(y % 4 == 0 and x % 4 == 0 for y, x in net.places))
        self.assertLess(tiled.seam_error(net, torch.randn(1, 2, 48, 100))[1], 1e-5)
