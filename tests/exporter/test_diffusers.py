# SPDX-License-Identifier: GPL-3.0-or-later
"""diffusers:NAME#PART, the parts of Stable Diffusion, with narrow networks."""

import importlib
import json
import os
import sys
import unittest
from unittest import mock

import torch
from apertune_exporter.artifact.manifest import reference_inputs
from apertune_exporter.common.engines import add_engine_folders
from apertune_exporter.sources.diffusers_architectures import ARCHITECTURES
from support import Case

add_engine_folders()
HAS_DIFFUSERS = all(importlib.util.find_spec(name) is not None for name in ("diffusers", "transformers"))

# Parameters of the published models.
PUBLISHED = {
    ("sd_1_5", "text_encoder"): 123_060_480,
    ("sd_1_5", "unet"): 859_520_964,
    ("sd_1_5", "vae"): 83_653_863,
    ("sd_2_1", "text_encoder"): 340_387_840,
    ("sd_2_1", "unet"): 865_910_724,
    ("sdxl", "text_encoder_2"): 694_659_840,
    ("sdxl", "unet"): 2_567_463_684,
}


@unittest.skipUnless(HAS_DIFFUSERS, "the Python packages diffusers and transformers are not installed")
class Diffusers(Case):
    def outputs(self, manifest, batch):
        module = torch.jit.load(os.path.join(self.path("model"), "model.ts.pt"))
        with torch.no_grad():
            found = module(*reference_inputs(self.path("model"), manifest, batch))
        return [found] if isinstance(found, torch.Tensor) else list(found)

    def assert_part(self, source, inputs, outputs, weights="random, seed 0"):
        manifest = self.export(source)
        self.assertEqual((manifest["family"], manifest["weights"]), ("other", weights))
        self.assertEqual({i["name"]: i["shape"] for i in manifest["inputs"]}, inputs)
        self.assertEqual([o["shape"] for o in manifest["outputs"]], outputs)
        self.assertTrue(manifest["dynamic_batch"] and manifest["files"]["exported"]["dynamic_batch"], manifest["notes"])
        self.assertEqual(manifest["notes"], [])
        self.assertEqual([list(t.shape) for t in self.outputs(manifest, 3)], [[3, *shape[1:]] for shape in outputs])
        return manifest

    def test_the_parts_of_stable_diffusion_are_models_of_their_own(self):
        context, latent, image = [1, 77, 64], [1, 4, 16, 16], [1, 3, 128, 128]
        manifest = self.assert_part("diffusers:sd_1_5_small#text_encoder", {"input_ids": [1, 77]}, [context])
        (ids,) = reference_inputs(self.path("model"), manifest, 8)
        self.assertEqual((ids[:, 0].tolist(), int(ids[0, -1])), ([998] * 8, 999))
        unet = {"latent": latent, "timestep": [1], "context": context}
        manifest = self.assert_part("diffusers:sd_1_5_small#unet", unet, [latent])
        self.assertEqual(manifest["name"], "sd_1_5_small-unet")
        self.assertEqual(reference_inputs(self.path("model"), manifest, 8)[1].tolist()[:1], [999])
        self.assert_part("diffusers:sd_1_5_small#vae_decoder@64", {"latent": [1, 4, 8, 8]}, [[1, 3, 64, 64]])
        self.assert_part("diffusers:sd_1_5_small#vae_encoder", {"image": image}, [latent])

    def test_the_xl_architecture_has_two_texts_and_the_size_of_the_image(self):
        self.assert_part("diffusers:sdxl_small#text_encoder", {"input_ids": [1, 77]}, [[1, 77, 64]])
        self.assert_part("diffusers:sdxl_small#text_encoder_2", {"input_ids": [1, 77]}, [[1, 77, 96], [1, 48]])
        latent = [1, 4, 8, 8]
        inputs = {"latent": latent, "timestep": [1], "context": [1, 77, 160], "text_embeds": [1, 48], "time_ids": [1, 6]}
        manifest = self.assert_part("diffusers:sdxl_small#unet@64", inputs, [latent])
        self.assertEqual(reference_inputs(self.path("model"), manifest, 1)[4].tolist(), [[64.0, 64.0, 0.0, 0.0, 64.0, 64.0]])

    def test_a_folder_has_its_own_weights(self):
        import diffusers

        torch.manual_seed(4)
        described = {k: v for k, v in ARCHITECTURES["sd_1_5_small"]["vae"].items() if k != "_class_name"}
        vae = diffusers.AutoencoderKL(**described).eval()
        vae.save_pretrained(self.path("pipeline/vae"))
        with open(self.path("pipeline/model_index.json"), "w", encoding="utf-8") as stream:
            json.dump({"_class_name": "StableDiffusionPipeline", "vae": ["diffusers", "AutoencoderKL"]}, stream)
        for source in (f"diffusers:{self.path('pipeline')}#vae_decoder@64", f"diffusers:{self.path('pipeline/vae')}@64"):
            manifest = self.assert_part(
                source, {"latent": [1, 4, 8, 8]}, [[1, 3, 64, 64]], "of the folder, diffusion_pytorch_model.safetensors"
            )
            (latent,) = reference_inputs(self.path("model"), manifest, 2)
            with torch.no_grad():
                expected = vae.decode(latent / 0.18215).sample
            torch.testing.assert_close(self.outputs(manifest, 2)[0], expected, rtol=1e-3, atol=1e-4)
        weights = self.path("pipeline/vae/diffusion_pytorch_model.safetensors")
        manifest = self.export("diffusers:sd_1_5_small#vae_encoder@64", "--weights", weights)
        self.assertEqual(manifest["weights"], "file diffusion_pytorch_model.safetensors")

    def test_the_named_architectures_have_the_parameters_of_the_published_ones(self):
        from apertune_exporter.sources.diffusers_source import NamedPipeline

        for (name, part), count in PUBLISHED.items():
            with self.subTest(f"{name} {part}"), torch.device("meta"):
                module = NamedPipeline(name).build("vae_decoder" if part == "vae" else part)[1]
                self.assertEqual(sum(p.numel() for p in module.parameters()), count)

    def test_what_is_not_there_is_refused_with_what_there_is(self):
        self.assert_import_refused("bad_source", "diffusers:sdxl_small", contains=("which part", "sdxl_small#unet", "text_encoder_2"))
        self.assert_import_refused("bad_source", "diffusers:sd_1_5_small#text_encoder_2", contains="vae_decoder")
        self.assert_import_refused("unknown_architecture", "diffusers:sd_1_4#unet", contains=("sd_1_5", "hf download"))
        self.assert_import_refused("unsupported", "diffusers:sd_1_5_small#unet@100", contains="multiple of 64")
        self.assert_import_refused("unsupported", "diffusers:sd_1_5_small#unet", "--input-shape", "1x3", contains="--input-shape")
        os.makedirs(self.path("flux/transformer"))
        self.assert_import_refused("bad_source", f"diffusers:{self.path('flux')}#unet", contains="model_index.json")
        with open(self.path("flux/model_index.json"), "w", encoding="utf-8") as stream:
            json.dump({"_class_name": "FluxPipeline", "transformer": ["diffusers", "FluxTransformer2DModel"]}, stream)
        self.assert_import_refused("unsupported", f"diffusers:{self.path('flux')}#unet", contains=("FluxPipeline", "python:"))


class WithoutDiffusers(Case):
    def test_the_refusal_says_how_to_get_it(self):
        with mock.patch.dict(sys.modules, {"diffusers": None}):
            self.assert_import_refused(
                "missing_module", "diffusers:sd_1_5_small#unet", contains=("diffusers", "APERTUNE_ENGINES")
            )
