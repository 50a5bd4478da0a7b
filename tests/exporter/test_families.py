# SPDX-License-Identifier: GPL-3.0-or-later
"""The zoo's families: each is imported whole, and its forms agree with one another."""

import json
import os
import shutil
import tempfile
import unittest
import unittest.mock

import torch
from apertune_exporter.artifact.manifest import reference_inputs
from apertune_exporter.nets import diffusion, tiled
from support import Case


class Families(Case):
    """Each source is imported once for all tests: importing is what takes the time."""

    kept = {}  # source -> folder of its artifact

    @classmethod
    def setUpClass(cls):
        cls.kept_folder = tempfile.mkdtemp(prefix="apertune-exporter-")
        cls.addClassCleanup(shutil.rmtree, cls.kept_folder, ignore_errors=True)

    def imported(self, what, inputs, outputs):
        """The manifest; the model is there as TorchScript and as a program, for every batch."""
        if what not in self.kept:
            self.export(what)
            self.kept[what] = shutil.move(self.path("model"), os.path.join(self.kept_folder, str(len(self.kept))))
        shutil.rmtree(self.path("model"), ignore_errors=True)
        shutil.copytree(self.kept[what], self.path("model"))
        with open(os.path.join(self.path("model"), "manifest.json"), encoding="utf-8") as stream:
            manifest = json.load(stream)
        self.assertEqual([i["name"] for i in manifest["inputs"]], inputs)
        self.assertEqual({o["name"]: o["shape"] for o in manifest["outputs"]}, outputs)
        self.assertTrue(manifest["dynamic_batch"], manifest["notes"])
        self.assertTrue(manifest["files"]["exported"]["dynamic_batch"], manifest["notes"])
        return manifest

    def outputs(self, manifest, batch):
        module = torch.jit.load(os.path.join(self.path("model"), "model.ts.pt"))
        with torch.no_grad():
            found = module(*reference_inputs(self.path("model"), manifest, batch))
        return [found] if isinstance(found, torch.Tensor) else list(found)

    def test_a_yolo_leaves_suppression_to_its_reader_or_does_it_in_the_graph(self):
        import torchvision

        raw = self.outputs(self.imported("zoo:yolo@64", ["image"], {"output": [1, 84, 85]}), 2)[0]
        best = raw[..., 5:].topk(2, -1).values
        self.assertLess(best.max(), 1)
        self.assertGreater((best[..., 0] - best[..., 1]).min(), 1e-5, "rounding alone would decide the label")
        shapes = {"boxes": [1, 84, 4], "scores": [1, 84], "labels": [1, 84], "count": [1]}
        boxes, scores, labels, count = self.outputs(self.imported("zoo:yolo_nms@64", ["image"], shapes), 2)
        for row, n, own, best, classes in zip(raw, count.tolist(), boxes, scores, labels):
            certainty, kinds = (row[:, 4:5] * row[:, 5:]).max(-1)
            corners = torch.cat([row[:, :2] - row[:, 2:4] / 2, row[:, :2] + row[:, 2:4] / 2], -1)
            kept = torchvision.ops.batched_nms(corners, certainty, kinds, 0.5)
            self.assertEqual(n, len(kept))
            torch.testing.assert_close(best[:n], certainty[kept])
            torch.testing.assert_close(own[:n], corners[kept], rtol=1e-4, atol=1e-3)
            self.assertEqual(classes[:n].tolist(), kinds[kept].tolist())

    def test_a_unet_and_its_tiles_say_what_the_seams_cost(self):
        plain = self.imported("zoo:unet@160", ["image"], {"output": [1, 21, 160, 160]})
        whole = self.outputs(plain, 1)[0]
        tiles = self.imported("zoo:unet_tiled@160", ["image"], {"output": [1, 21, 160, 160]})
        self.assertIn("4 tiles, blended", " ".join(tiles["notes"]))
        self.assertIn("seam error", " ".join(tiles["notes"]))
        found = self.outputs(tiles, 1)[0]
        self.assertGreater(torch.nn.functional.cosine_similarity(whole.flatten(), found.flatten(), 0), 0.99)
        self.assertGreater((whole - found).abs().max(), 0)
        self.assert_import_refused("unsupported", "zoo:unet_tiled@100", contains="multiple of 16 from 128")

    def test_the_components_of_a_diffusion_pipeline(self):
        self.imported("zoo:sd_text_encoder", ["tokens"], {"output": [1, 77, 128]})
        unet = ["latent", "timestep", "context"], {"output": [1, 4, 8, 8]}
        whole = self.outputs(self.imported("zoo:sd_unet@64", *unet), 2)[0]
        slices = self.outputs(self.imported("zoo:sd_unet_sliced@64", *unet), 2)[0]
        torch.testing.assert_close(slices, whole, rtol=1e-4, atol=1e-4)
        self.imported("zoo:sd_vae_decoder@64", ["latent"], {"output": [1, 3, 64, 64]})
        tiles = self.imported("zoo:sd_vae_decoder_tiled@192", ["image"], {"output": [1, 3, 192, 192]})
        self.assertIn("seam error", " ".join(tiles["notes"]))

    def test_models_on_tiles_and_in_slices_keep_the_whole_that_they_are_measured_against(self):
        outputs = {"zoo:unet_tiled@160": (["image"], {"output": [1, 21, 160, 160]}),
                   "zoo:sd_vae_decoder_tiled@192": (["image"], {"output": [1, 3, 192, 192]}),
                   "zoo:sd_unet_sliced@64": (["latent", "timestep", "context"], {"output": [1, 4, 8, 8]})}
        for source, (inputs, shapes) in outputs.items():
            manifest = self.imported(source, inputs, shapes)
            out = self.path("model")
            base = os.path.join(out, os.path.dirname(manifest["files"]["base"]["path"]))
            with open(os.path.join(base, "manifest.json"), encoding="utf-8") as stream:
                whole = json.load(stream)
            self.assertEqual(whole["outputs"], manifest["outputs"])
            case = reference_inputs(base, whole, 1)
            with torch.no_grad():
                parts, plain = (torch.jit.load(os.path.join(folder, "model.ts.pt"))(*case) for folder in (out, base))
            note = " ".join(manifest["notes"])
            self.assertIn("Quality is measured against", note)
            if "seam error" in note:
                self.assertGreater((parts - plain).abs().max(), 1e-3)
            else:
                torch.testing.assert_close(parts, plain, rtol=1e-4, atol=1e-4)
        self.assertNotIn("base", self.imported("zoo:unet@160", ["image"], {"output": [1, 21, 160, 160]})["files"])

    def test_a_diffusion_pipeline_from_prompt_to_image(self):
        manifest = self.imported("zoo:sd_pipeline@64", ["tokens", "noise"], {"output": [1, 3, 64, 64]})
        first, second = self.outputs(manifest, 2)[0]
        self.assertGreater((first - second).abs().max(), 0.01)
        self.assertLessEqual(first.abs().max(), 1)


class Tiles(unittest.TestCase):
    def test_they_cover_the_image_and_overlap_by_at_least_what_was_asked(self):
        for extent, tile, overlap in ((256, 128, 32), (100, 40, 10), (41, 40, 0), (40, 64, 8)):
            found = tiled.starts(extent, tile, overlap)
            self.assertEqual((found[0], found[-1]), (0, max(0, extent - tile)))
            self.assertTrue(all(b - a <= tile - overlap for a, b in zip(found, found[1:])), found)

    def test_a_network_of_single_pixels_has_no_seams(self):
        image = torch.randn(2, 3, 50, 70)
        for together in (True, False):
            net = tiled.Tiled(torch.nn.Conv2d(3, 5, 1), 50, 70, 32, 8, together=together)
            cosine, largest = tiled.seam_error(net, image)
            self.assertAlmostEqual(cosine, 1, places=6)
            self.assertLess(largest, 1e-5)

    def test_a_wider_view_than_the_tiles_has_a_seam_error_that_overlap_lowers(self):
        image = torch.randn(1, 1, 64, 64)
        blur = torch.nn.Conv2d(1, 1, 9, padding=4, bias=False)
        torch.nn.init.constant_(blur.weight, 1 / 81)
        errors = [tiled.seam_error(tiled.Tiled(blur, 64, 64, 32, o), image)[1] for o in (0, 16)]
        self.assertGreater(errors[0], 0.1)
        self.assertLess(errors[1], errors[0] / 2)

    def test_a_network_that_enlarges_is_blended_at_its_own_scale(self):
        grow = torch.nn.Upsample(scale_factor=4.0, mode="nearest")
        self.assertLess(tiled.seam_error(tiled.Tiled(grow, 20, 20, 8, 4, 4), torch.randn(1, 2, 20, 20))[1], 1e-5)


class Diffusion(unittest.TestCase):
    def test_sliced_attention_never_holds_the_scores_of_all_heads(self):
        torch.manual_seed(0)
        unet = diffusion.slice_attention(diffusion.UNetStep(16)).eval()
        inputs = torch.randn(2, 4, 8, 8), torch.full((2,), 500.0), torch.randn(2, diffusion.TOKENS, diffusion.CONTEXT)
        heads = []
        attend = diffusion.F.scaled_dot_product_attention

        def seen(queries, *rest, **options):
            heads.append(queries.shape[1])
            return attend(queries, *rest, **options)

        with torch.no_grad(), unittest.mock.patch.object(diffusion.F, "scaled_dot_product_attention", seen):
            unet(*inputs)
        self.assertEqual(set(heads), {1})

    def test_steps_go_from_noise_to_image(self):
        shares = diffusion.signal_shares(4)
        self.assertEqual(len(shares), 5)
        self.assertLess(shares[0], 0.05)
        self.assertEqual(shares[-1], 1)
        self.assertEqual(shares, sorted(set(shares)))

    def test_several_images_of_a_prompt_differ_by_their_noise_alone(self):
        torch.manual_seed(0)
        parts = diffusion.TextEncoder(1), diffusion.UNetStep(16), diffusion.VaeDecoder(8)
        both = diffusion.TextToImage(*parts, steps=2, images=2).eval()
        single = diffusion.TextToImage(*parts, steps=2).eval()
        tokens, noise = torch.randint(1, 1000, (3, diffusion.TOKENS)), torch.randn(3, 8, 8, 8)
        with torch.no_grad():
            found = both(tokens, noise)
            self.assertEqual(list(found.shape), [3, 6, 64, 64])
            for k in range(2):
                wanted = single(tokens, noise[:, 4 * k : 4 * k + 4])
                torch.testing.assert_close(found[:, 3 * k : 3 * k + 3], wanted, rtol=1e-4, atol=1e-4)

    def test_guidance_moves_the_image(self):
        torch.manual_seed(0)
        unet = diffusion.UNetStep(16)
        parts = diffusion.TextEncoder(1), unet, diffusion.VaeDecoder(8)
        tokens, noise = torch.randint(1, 1000, (1, diffusion.TOKENS)), torch.randn(1, 4, 8, 8)
        with torch.no_grad():
            plain = diffusion.TextToImage(*parts, steps=2, guidance=1.0).eval()(tokens, noise)
            strong = diffusion.TextToImage(*parts, steps=2, guidance=8.0).eval()(tokens, noise)
        self.assertGreater((plain - strong).abs().max(), 1e-4)
