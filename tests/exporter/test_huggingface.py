# SPDX-License-Identifier: GPL-3.0-or-later
"""hf:FOLDER, models as the tools of Hugging Face save them. Only what needs transformers is skipped without it."""

import importlib
import json
import os
import sys
import unittest
from unittest import mock

import torch
from apertune_exporter.artifact.manifest import reference_inputs
from apertune_exporter.common.engines import add_engine_folders
from apertune_exporter.sources.text_inputs import Vocabulary
from support import Case

add_engine_folders()
HAS_TRANSFORMERS = importlib.util.find_spec("transformers") is not None
needs_transformers = unittest.skipUnless(HAS_TRANSFORMERS, "the Python package transformers is not installed")

SMALL = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
BERT = {"model_type": "bert", "architectures": ["BertForSequenceClassification"], "vocab_size": 300, **SMALL}
VIT = {"model_type": "vit", "architectures": ["ViTForImageClassification"], "image_size": 64, "patch_size": 16, **SMALL}
SPECIAL = {"[PAD]": 0, "[UNK]": 100, "[CLS]": 101, "[SEP]": 102}
TOKENIZER = {
    "cls_token": "[CLS]",
    "sep_token": "[SEP]",
    "pad_token": "[PAD]",
    "added_tokens_decoder": {str(number): {"content": text, "special": True} for text, number in SPECIAL.items()},
}


class Folder(Case):
    def saved(self, config, name="saved", **files):
        """A folder with config.json and further JSON files."""
        os.makedirs(self.path(name), exist_ok=True)
        for file, content in {"config": config, **files}.items():
            with open(os.path.join(self.path(name), f"{file}.json"), "w", encoding="utf-8") as stream:
                json.dump(content, stream)
        return f"hf:{self.path(name)}"

    def inputs(self, manifest, batch=8):
        names = [described["name"] for described in manifest["inputs"]]
        return dict(zip(names, reference_inputs(self.path("model"), manifest, batch)))

    def outputs(self, manifest, batch):
        module = torch.jit.load(os.path.join(self.path("model"), "model.ts.pt"))
        with torch.no_grad():
            found = module(*reference_inputs(self.path("model"), manifest, batch))
        return [found] if isinstance(found, torch.Tensor) else list(found)

    def assert_runs(self, manifest):
        """It has an exported program, and its shapes are those of the manifest at batch 3."""
        self.assertTrue(manifest["dynamic_batch"], manifest["notes"])
        self.assertIsNotNone(manifest["files"]["exported"], manifest["notes"])
        for described, tensor in zip(manifest["outputs"], self.outputs(manifest, 3)):
            self.assertEqual(list(tensor.shape)[1:], described["shape"][1:])
            self.assertTrue(bool(tensor.isfinite().all()))


@needs_transformers
class Transformers(Folder):
    def test_texts_are_words_between_the_tokens_that_begin_and_end_them(self):
        manifest = self.export(self.saved(BERT, tokenizer_config=TOKENIZER))
        self.assertEqual((manifest["family"], manifest["weights"]), ("classification", "random, seed 0"))
        self.assertEqual([(i["name"], i["dtype"]) for i in manifest["inputs"]], [("input_ids", "int64"), ("attention_mask", "int64")])
        self.assertEqual([o["name"] for o in manifest["outputs"]], ["logits"])
        given = self.inputs(manifest)
        ids, mask = given["input_ids"], given["attention_mask"]
        self.assertEqual(ids[:, 0].tolist(), [101] * 8)
        for row, kept in zip(ids.tolist(), mask.sum(1).tolist()):
            self.assertEqual(row[kept - 1], 102)
            self.assertEqual(set(row[kept:]), {0} if kept < len(row) else set())
            self.assertTrue(set(row[1 : kept - 1]) <= set(range(300)) - set(SPECIAL.values()))
        self.assertEqual(int(mask[0].sum()), ids.shape[1])
        self.assertLess(int(mask[7].sum()), ids.shape[1])
        self.assert_runs(manifest)
        self.assertEqual(manifest["notes"], [])

    def test_the_weights_of_the_folder_are_those_that_run(self):
        import transformers

        model = transformers.BertForSequenceClassification(transformers.BertConfig(**{k: v for k, v in BERT.items() if k != "model_type"}))
        model.save_pretrained(self.path("saved"))
        manifest = self.export(f"hf:{self.path('saved')}")
        self.assertEqual(manifest["weights"], "of the folder, model.safetensors")
        with torch.no_grad():
            expected = model.eval()(**self.inputs(manifest, 2)).logits
        torch.testing.assert_close(self.outputs(manifest, 2)[0], expected, rtol=1e-4, atol=1e-5)
        again = self.export(f"hf:{self.path('saved')}/config.json", out="random")
        self.assertEqual(again["weights"], "random, seed 0")

    def test_the_processor_says_the_size_and_the_preprocessing_of_pictures(self):
        processor = {"size": {"height": 64, "width": 64}, "image_mean": [0.5] * 3, "image_std": [0.25] * 3, "resample": 3}
        manifest = self.export(self.saved(VIT, preprocessor_config=processor))
        self.assertEqual([i["shape"] for i in manifest["inputs"]], [[1, 3, 64, 64]])
        self.assertEqual(manifest["preprocessing"]["std"], [0.25] * 3)
        self.assertEqual(manifest["preprocessing"]["interpolation"], "bicubic")
        self.assert_runs(manifest)
        larger = self.export(self.saved(VIT, preprocessor_config=processor) + "@96", out="larger")
        self.assertEqual([i["shape"] for i in larger["inputs"]], [[1, 3, 96, 96]])

    def test_videos_have_a_time_axis(self):
        config = {**VIT, "model_type": "videomae", "architectures": ["VideoMAEForVideoClassification"], "num_frames": 4,
                  "image_size": 32}
        manifest = self.export(self.saved(config))
        self.assertEqual([i["shape"] for i in manifest["inputs"]], [[1, 4, 3, 32, 32]])
        self.assertEqual(manifest["family"], "classification")
        self.assert_runs(manifest)

    def test_a_detector_like_detr_names_its_outputs_for_the_pipeline(self):
        config = {**VIT, "model_type": "yolos", "architectures": ["YolosForObjectDetection"], "image_size": [32, 48],
                  "num_detection_tokens": 5}
        manifest = self.export(self.saved(config))
        self.assertEqual(manifest["family"], "detection")
        self.assertEqual([o["name"] for o in manifest["outputs"]][:2], ["pred_logits", "pred_boxes"])
        self.assertEqual([i["shape"] for i in manifest["inputs"]], [[1, 3, 32, 48]])
        self.assert_runs(manifest)

    def test_an_encoder_and_decoder_get_a_text_each(self):
        config = {"model_type": "t5", "architectures": ["T5ForConditionalGeneration"], "vocab_size": 200, "d_model": 32,
                  "d_kv": 16, "d_ff": 64, "num_layers": 1, "num_heads": 2}
        manifest = self.export(self.saved(config))
        self.assertEqual([i["name"] for i in manifest["inputs"]], ["input_ids", "attention_mask", "decoder_input_ids"])
        self.assert_runs(manifest)

    def test_a_model_of_pictures_and_texts_gets_both(self):
        config = {
            "model_type": "clip",
            "architectures": ["CLIPModel"],
            "text_config": {"vocab_size": 99, "max_position_embeddings": 12, "bos_token_id": 97, "eos_token_id": 98, **SMALL},
            "vision_config": {"image_size": 32, "patch_size": 8, **SMALL},
            "projection_dim": 16,
        }
        manifest = self.export(self.saved(config))
        self.assertEqual([i["name"] for i in manifest["inputs"]], ["pixel_values", "input_ids", "attention_mask"])
        self.assertIn("text_model_output.pooler_output", [o["name"] for o in manifest["outputs"]])
        self.assertEqual(int(self.inputs(manifest, 1)["input_ids"][0, -1]), 98)

    def test_inputs_that_are_named_replace_those_of_the_configuration(self):
        source = self.saved(BERT, tokenizer_config=TOKENIZER)
        manifest = self.export(source, "--input-shape", "input_ids:int64:1x10", "--input-shape", "token_type_ids:int64:1x10")
        self.assertEqual([(i["name"], i["shape"]) for i in manifest["inputs"]], [("input_ids", [1, 10]), ("token_type_ids", [1, 10])])
        self.assertEqual(self.inputs(manifest)["input_ids"][:, 0].tolist(), [101] * 8)
        self.assert_import_refused("bad_source", source, "--input-shape", "pixels:float32:1x3", contains=("pixels", "input_ids"))

    def test_what_transformers_cannot_build_is_refused_in_a_sentence(self):
        own = {"model_type": "mine", "architectures": ["Mine"], "auto_map": {"AutoModel": "modeling.Mine"}}
        self.assert_import_refused("unsupported", self.saved(own), contains=("code of its own", "python:FILE.py:CALLABLE"))
        named = {**BERT, "architectures": ["BertForSequenceClasification"]}
        self.assert_import_refused("unknown_architecture", self.saved(named), contains="BertForSequenceClassification")
        self.assert_import_refused("unknown_architecture", self.saved({"model_type": "nothing"}), contains="nothing")
        heads = {**BERT, "num_attention_heads": 5}
        self.assert_import_refused("unsupported", self.saved(heads), contains="BertForSequenceClassification")


class Folders(Folder):
    def test_a_folder_of_timm_is_built_as_its_configuration_says(self):
        import timm
        from safetensors.torch import save_file

        model = timm.create_model("resnet10t", num_classes=7)
        source = self.saved({"architecture": "resnet10t", "num_classes": 7})
        save_file(model.state_dict(), os.path.join(self.path("saved"), "model.safetensors"))
        manifest = self.export(source + "@64")
        self.assertEqual((manifest["weights"], manifest["name"]), ("of the folder, model.safetensors", "saved"))
        self.assertEqual([o["shape"] for o in manifest["outputs"]], [[1, 7]])
        with torch.no_grad():
            expected = model.eval()(*self.inputs(manifest, 2).values())
        torch.testing.assert_close(self.outputs(manifest, 2)[0], expected, rtol=1e-4, atol=1e-4)

    def test_folders_of_something_else_are_refused_with_the_way_on(self):
        self.assert_import_refused("bad_source", "hf:google/vit-base-patch16-224", contains="hf download google/vit-base")
        os.mkdir(self.path("empty"))
        self.assert_import_refused("bad_source", f"hf:{self.path('empty')}", contains="config.json")
        part = self.saved({"_class_name": "UNet2DConditionModel"})
        self.assert_import_refused("bad_source", part, contains=f"diffusers:{self.path('saved')}")
        with open(os.path.join(self.path("saved"), "config.json"), "w", encoding="utf-8") as stream:
            stream.write("{")
        self.assert_import_refused("truncated", part, contains="JSON")

    def test_without_transformers_the_refusal_says_how_to_get_it(self):
        with mock.patch.dict(sys.modules, {"transformers": None}):
            self.assert_import_refused("missing_module", self.saved(BERT), contains=("transformers", "APERTUNE_ENGINES"))

    def test_a_vocabulary_without_a_tokenizer_keeps_within_its_size(self):
        class Config:
            vocab_size, bos_token_id, eos_token_id, pad_token_id = 9, 7, [8, 6], 50256

        ids, mask = Vocabulary(Config).texts(6, 0)
        self.assertEqual((ids.shape, mask.shape), ((8, 6), (8, 6)))
        self.assertEqual((int(ids[0, 0]), int(ids[0, -1])), (7, 8))
        self.assertTrue(0 <= int(ids.min()) and int(ids.max()) < 9)
