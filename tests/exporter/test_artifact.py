# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that `export` writes, checked by loading and running it."""

import hashlib
import json
import os

import torch
from apertune_exporter.artifact.manifest import read_manifest, reference_inputs
from apertune_exporter.artifact.program_file import load_program
from support import Case, run, run_child, source


class Artifact(Case):
    def outputs(self, manifest, batch, folder="model"):
        """Outputs of the artifact's TorchScript for reference inputs, by name."""
        module = torch.jit.load(os.path.join(self.path(folder), "model.ts.pt"))
        with torch.no_grad():
            found = module(*reference_inputs(self.path(folder), manifest, batch))
        found = (found,) if isinstance(found, torch.Tensor) else found
        return dict(zip([o["name"] for o in manifest["outputs"]], found, strict=True))

    def assert_consistent(self, manifest, folder="model"):
        root = self.path(folder)
        for described in manifest["inputs"]:
            with open(os.path.join(root, described["file"]), "rb") as stream:
                self.assertEqual(hashlib.sha256(stream.read()).hexdigest(), described["sha256"])
        for described in filter(None, manifest["files"].values()):
            with open(os.path.join(root, described["path"]), "rb") as stream:
                content = stream.read()
            self.assertEqual(len(content), described["bytes"])
            self.assertEqual(hashlib.sha256(content).hexdigest(), described["sha256"])
        for batch in (1, 3) if manifest["dynamic_batch"] else (1,):
            outputs = self.outputs(manifest, batch, folder)
            for output in manifest["outputs"]:
                shape = list(output["shape"])
                if output["batch_dim"] is not None:
                    shape[output["batch_dim"]] *= batch
                self.assertEqual(list(outputs[output["name"]].shape), shape)
                self.assertEqual(str(outputs[output["name"]].dtype), "torch." + output["dtype"])

    def test_resnet18_is_described_and_runs_at_any_batch(self):
        manifest = self.export("torchvision:resnet18")
        self.assertEqual(manifest["schema"], "apertune.model/1")
        self.assertEqual(manifest["family"], "classification")
        self.assertEqual(manifest["parameters"], 11_689_512)
        self.assertAlmostEqual(manifest["macs"] / 1e9, 1.814, places=2)
        self.assertEqual(manifest["macs"], sum(layer["macs"] for layer in manifest["layers"]))
        self.assertEqual(manifest["parameters"], sum(layer["parameters"] for layer in manifest["layers"]))
        self.assertEqual([layer["name"] for layer in manifest["layers"]][:3], ["conv1", "bn1", "relu"])
        self.assertTrue(manifest["dynamic_batch"] and manifest["files"]["exported"]["dynamic_batch"])
        self.assertEqual(manifest["inputs"][0]["shape"], [1, 3, 224, 224])
        self.assertEqual(manifest["preprocessing"]["crop"], 224)
        self.assertEqual(manifest["notes"], [])
        self.assertEqual(manifest["failing_batches"], [])
        self.assert_consistent(manifest)
        scores = self.outputs(manifest, 8)["output"]
        self.assertTrue(bool(scores.isfinite().all()))
        self.assertGreater(len(set(scores.argmax(1).tolist())), 1, "random weights answer with a constant")

    def test_a_linear_layer_on_a_transposed_input_runs_as_one_product(self):
        manifest = self.export(source("turned"))
        module = torch.jit.load(os.path.join(self.path("model"), "model.ts.pt"))
        program = load_program(self.path("model"), manifest).module()
        for runs in (module, program):
            with torch.no_grad(), torch.profiler.profile() as profile:
                runs(*reference_inputs(self.path("model"), manifest, 4))
            self.assertNotIn("aten::bmm", [event.key for event in profile.key_averages()])

    def test_the_same_seed_gives_the_same_artifact_and_another_seed_does_not(self):
        manifests = []
        for out, options in (("first", []), ("again", ["--name", "other"]), ("other", ["--seed", "1"])):
            # In processes of their own: names inside TorchScript count up within one.
            done = run_child("export", source("tiny"), "--out", self.path(out), *options)
            self.assertEqual(done.returncode, 0, done.stdout)
            manifests.append(read_manifest(self.path(out)))
        first, again, other = manifests
        self.assertEqual(first["content_hash"], again["content_hash"])
        self.assertNotEqual(first["content_hash"], other["content_hash"])
        self.assertEqual(again["name"], "other")

    def test_keyword_inputs_and_nested_outputs_keep_their_names(self):
        manifest = self.export(source("two_in"))
        self.assertEqual([i["name"] for i in manifest["inputs"]], ["image", "scale"])
        self.assertEqual([i["shape"] for i in manifest["inputs"]], [[1, 3, 32, 32], [1, 1]])
        self.assertEqual([o["name"] for o in manifest["outputs"]], ["scores", "parts.0", "parts.1.image_mean"])
        self.assertEqual([i["distribution"] for i in manifest["inputs"]], ["given", "given"])
        self.assertEqual(manifest["layers"][0]["name"], "net.0")
        self.assertTrue(manifest["dynamic_batch"] and manifest["files"]["exported"]["dynamic_batch"])
        self.assert_consistent(manifest)

    def test_a_layer_that_gives_no_tensor_has_an_empty_shape(self):
        layers = {layer["name"]: layer for layer in self.export(source("knows_its_size"))["layers"]}
        self.assertEqual(layers["sizes"]["output_shape"], [])
        self.assertEqual(layers["net.0"]["output_shape"], [1, 8, 16, 16])

    def test_lists_of_images_and_dataclass_results_become_flat_tensors(self):
        manifest = self.export(source("dataclass_out"))
        self.assertEqual([i["name"] for i in manifest["inputs"]], ["images.0", "images.1"])
        self.assertEqual([o["name"] for o in manifest["outputs"]], ["logits", "hidden"])
        self.assert_consistent(manifest)

    def test_nested_results_of_any_kind_become_flat_tensors(self):
        manifest = self.export(source("heads"))
        self.assertEqual(
            [o["name"] for o in manifest["outputs"]],
            ["0.0.boxes", "0.0.scores.0", "0.1.boxes", "1.best.score"],
        )
        self.assertTrue(manifest["dynamic_batch"] and manifest["files"]["exported"]["dynamic_batch"])
        self.assert_consistent(manifest)

    def test_an_attribute_that_is_called_like_the_method_of_an_approximation_is_none(self):
        manifest = self.export(source("backboned"))
        self.assertEqual([o["name"] for o in manifest["outputs"]], ["logits"])
        self.assertNotIn("base", manifest["files"])
        self.assert_consistent(manifest)

    def test_a_model_that_takes_more_than_an_image_labels_no_pixels(self):
        self.assertEqual(self.export(source("latent_step"))["family"], "other")

    def test_indices_and_masks_of_the_reference_samples_stay_within_what_was_given(self):
        manifest = self.export(source("tokens"))
        self.assertEqual([i["dtype"] for i in manifest["inputs"]], ["int64", "bool"])
        ids, _ = reference_inputs(self.path("model"), manifest, 8)
        self.assertTrue(0 <= int(ids.min()) and int(ids.max()) < 17)
        self.assertGreater(len({tuple(row) for row in ids.tolist()}), 4)
        self.assert_consistent(manifest)

    def test_a_model_that_takes_one_image_only_says_so(self):
        manifest = self.export(source("one_only"))
        self.assertFalse(manifest["dynamic_batch"])
        self.assertEqual(manifest["inputs"][0]["batch_dim"], 0)
        self.assertIn("one image at a time, please", " ".join(manifest["notes"]))
        self.assertFalse(manifest["files"]["exported"]["dynamic_batch"])
        self.assert_consistent(manifest)

    def test_a_batch_that_tracing_bakes_in_is_noticed(self):
        manifest = self.export(source("bakes_the_batch"))
        self.assertFalse(manifest["dynamic_batch"])
        self.assertIn("batch 1 only", " ".join(manifest["notes"]))

    def test_a_batch_that_the_model_refuses_is_left_out_alone(self):
        for name, refused in (("refuses_three", 3), ("refuses_two", 2)):
            with self.subTest(name):
                manifest = self.export(source(name))
                why = f"AssertionError: batch {refused} is not my thing"
                self.assertTrue(manifest["dynamic_batch"])
                self.assertEqual(manifest["failing_batches"], [{"batch": refused, "why": why}])
                self.assertIn(f"Batch {refused} is left out: {why}.", manifest["notes"])
                self.assertTrue(manifest["files"]["exported"]["dynamic_batch"], manifest["notes"])
                for batch in {1, 2, 3, 4, 8} - {refused}:
                    self.assertEqual(list(self.outputs(manifest, batch)["output"].shape), [batch, 3])

    def test_a_script_that_names_float32_runs_when_it_is_cast_to_a_half_precision(self):
        from models import positions

        manifest = self.export(source("positions"))
        model, _ = positions()
        self.assert_agrees_with(model, manifest)
        (inputs,) = reference_inputs(self.path("model"), manifest, 3)
        for dtype in (torch.bfloat16, torch.float16):
            script = torch.jit.load(os.path.join(self.path("model"), "model.ts.pt"))
            for tensor in (*script.parameters(), *script.buffers()):
                tensor.data = tensor.data.to(dtype)
            with torch.no_grad():
                cast, expected = script(inputs.to(dtype)), model.eval()(inputs)
            self.assertEqual(cast.dtype, dtype)
            torch.testing.assert_close(cast.float(), expected, rtol=0.02, atol=0.02)

    def test_the_exported_program_takes_its_weights_from_the_script(self):
        for name in ("tiny", "dataclass_out", "own_function"):
            with self.subTest(name):
                manifest = self.export(source(name))
                program = load_program(self.path("model"), manifest)
                script = torch.jit.load(os.path.join(self.path("model"), "model.ts.pt"))
                state = script.state_dict()
                self.assertEqual(set(program.state_dict), set(state))
                for key, tensor in program.state_dict.items():
                    self.assertTrue(torch.equal(tensor, state[key]), key)
                inputs = reference_inputs(self.path("model"), manifest, 3)
                with torch.no_grad():
                    torch.testing.assert_close(program.module(check_guards=False)(*inputs), script(*inputs))

    def test_a_script_that_names_no_type_is_left_as_it_is(self):
        self.export(source("tiny"))
        self.assertNotIn("aten::type_as", self.operators("model"))

    def test_control_flow_on_values_is_scripted_instead_of_traced(self):
        manifest = self.export(source("branches"))
        module = torch.jit.load(os.path.join(self.path("model"), "model.ts.pt"))
        with torch.no_grad():
            positive, negative = module(torch.full((1, 4), 1.0)), module(torch.full((1, 4), -1.0))
            weight, bias = module.net.weight, module.net.bias
        torch.testing.assert_close(positive[0], weight.sum(1) + bias)
        torch.testing.assert_close(negative[0], -2 * (bias - weight.sum(1)))
        self.assertNotIn("first sample", " ".join(manifest["notes"]))
        self.assertIn("was scripted, because tracing cannot take it", " ".join(manifest["notes"]))
        self.assertIsNone(manifest["files"]["exported"])

    def test_control_flow_that_cannot_be_scripted_is_noted(self):
        manifest = self.export(source("branches_by_keyword"))
        self.assertIn("the way of the first sample", " ".join(manifest["notes"]))

    def assert_agrees_with(self, model, manifest, batches=(1, 3, 8)):
        """The saved script gives what the model gives, bit by bit."""
        state = torch.jit.load(os.path.join(self.path("model"), "model.ts.pt")).state_dict()
        model.load_state_dict(state)
        for batch in batches:
            inputs = reference_inputs(self.path("model"), manifest, batch)
            with torch.no_grad():
                torch.testing.assert_close(self.outputs(manifest, batch)["output"], model.eval()(*inputs), rtol=0, atol=0)

    def test_a_model_with_an_autograd_function_of_its_own_is_made_from_its_exported_program(self):
        from models import OwnFunction

        manifest = self.export(source("own_function"))
        self.assert_agrees_with(OwnFunction(), manifest)
        self.assertTrue(manifest["dynamic_batch"])
        self.assertIsNotNone(manifest["files"]["exported"])
        self.assertEqual(len(manifest["notes"]), 1, manifest["notes"])
        self.assertIn("was made from its torch.export program, because tracing", manifest["notes"][0])
        self.assertRegex(manifest["notes"][0], r"function Swish has .* \(\S+models\.py, line \d+\)")
        self.assert_consistent(manifest)

    def test_a_checkpoint_and_both_branches_of_cond_are_made_from_the_exported_program(self):
        from models import Checkpointed

        self.assert_agrees_with(Checkpointed(), self.export(source("checkpointed")))
        self.export(source("both_ways"))
        module = torch.jit.load(os.path.join(self.path("model"), "model.ts.pt"))
        weight, bias = (p.detach() for p in (module.net.weight, module.net.bias))
        for value, factor in ((1.0, 1), (-1.0, -2)):
            for batch in (1, 3):
                with torch.no_grad():
                    result = module(torch.full((batch, 4), value))
                expected = factor * (value * weight.sum(1) + bias)
                torch.testing.assert_close(result, expected.expand(batch, -1))

    def test_outputs_that_are_not_numbers_are_noted(self):
        manifest = self.export(source("diverges"))
        self.assertIn("NaN", " ".join(manifest["notes"]))

    def test_detections_have_fixed_shapes_and_plain_operators(self):
        manifest = self.export("zoo:mobilenet_detector@224")
        self.assertEqual(manifest["family"], "detection")
        self.assertEqual([o["name"] for o in manifest["outputs"]], ["boxes", "scores", "labels", "count"])
        self.assert_consistent(manifest)
        outputs = self.outputs(manifest, 2)
        for row, count in enumerate(outputs["count"].tolist()):
            self.assertTrue(0 < count <= 100)
            self.assertTrue(bool((outputs["scores"][row, :count] > 0).all()))
            self.assertEqual(float(outputs["scores"][row, count:].sum()), 0)
        self.assertNotIn("torchvision::", self.operators("model"))

    def operators(self, folder):
        module = torch.jit.load(os.path.join(self.path(folder), "model.ts.pt"))
        return str(module.inlined_graph)

    def test_weights_from_a_file_are_those_that_run(self):
        from models import tiny

        torch.manual_seed(7)
        model, _ = tiny()
        torch.save({"state_dict": {"module." + k: v for k, v in model.state_dict().items()}}, self.path("w.pth"))
        manifest = self.export(source("tiny"), "--weights", self.path("w.pth"))
        self.assertEqual(manifest["weights"], "file w.pth")
        inputs = reference_inputs(self.path("model"), manifest, 2)
        with torch.no_grad():
            torch.testing.assert_close(self.outputs(manifest, 2)["output"], model.eval()(*inputs))

    def test_a_named_model_gets_the_classes_that_its_weights_were_trained_for(self):
        import timm
        from safetensors.torch import save_file

        model = timm.create_model("resnet10t", num_classes=7)
        # As a trainer saves it that wraps the model.
        save_file({f"module.model.{k}": v for k, v in model.state_dict().items()}, self.path("seven.safetensors"))
        manifest = self.export("timm:resnet10t@64", "--weights", self.path("seven.safetensors"))
        self.assertEqual([o["shape"] for o in manifest["outputs"]], [[1, 7]])
        self.assertIn("those of 7 classes", " ".join(manifest["notes"]))
        inputs = reference_inputs(self.path("model"), manifest, 2)
        with torch.no_grad():
            torch.testing.assert_close(self.outputs(manifest, 2)["output"], model.eval()(*inputs), rtol=1e-4, atol=1e-4)
        self.assert_import_refused(
            "bad_source", "timm:resnet18@64", "--weights", self.path("seven.safetensors"), contains="does not fit"
        )

    def test_a_torchscript_file_of_ours_needs_no_input_shape(self):
        self.export(source("two_in"))
        script = os.path.join(self.path("model"), "model.ts.pt")
        manifest = self.export(script, out="again")
        self.assertEqual([i["name"] for i in manifest["inputs"]], ["image", "scale"])
        self.assertIsNotNone(manifest["files"]["exported"])
        self.assert_consistent(manifest, "again")

    def test_a_foreign_torchscript_file_with_a_dict_output_and_given_shapes_imports(self):
        class DictOut(torch.nn.Module):
            def forward(self, x):
                return {"double": x * 2, "half": x / 2}

        torch.jit.save(torch.jit.script(DictOut()), self.path("foreign.pt"))
        manifest = self.export(self.path("foreign.pt"), "--input-shape", "x:float32:1x3x16x16")
        self.assertEqual([o["name"] for o in manifest["outputs"]], ["double", "half"])
        self.assertEqual(manifest["name"], "foreign")
        self.assert_consistent(manifest)

    def test_the_way_out_that_the_refusal_of_an_exported_program_names_works(self):
        manifest = self.export(source("exported"))
        self.assert_consistent(manifest)

    def test_texts_of_a_torchscript_file_use_its_whole_vocabulary(self):
        from models import Tokens

        torch.jit.save(torch.jit.script(Tokens().eval()), self.path("text.pt"))
        manifest = self.export(self.path("text.pt"), "--input-shape", "int64:1x40", "--input-shape", "mask:bool:1x40")
        self.assertEqual([i["name"] for i in manifest["inputs"]], ["ids", "mask"])
        ids, _ = reference_inputs(self.path("model"), manifest, 8)
        self.assertTrue(0 <= int(ids.min()) and 10 < int(ids.max()) < 17)
        self.assert_consistent(manifest)

    def test_a_torchscript_file_of_yolo_says_what_it_takes_and_is_a_detector(self):
        class Head(torch.nn.Module):
            def forward(self, images):
                return images.new_ones(1, 7, 1) * images.mean((1, 2, 3)).reshape(-1, 1, 1).expand(-1, 7, 42)

        about = json.dumps({"stride": 32, "task": "detect", "batch": 1, "imgsz": [32, 64], "names": {"0": "a"}})
        torch.jit.save(torch.jit.script(Head()), self.path("best.torchscript"), _extra_files={"config.txt": about})
        manifest = self.export(self.path("best.torchscript"))
        self.assertEqual([(i["shape"], i["distribution"]) for i in manifest["inputs"]], [([1, 3, 32, 64], "uniform01")])
        self.assertEqual(manifest["family"], "detection")
        (image,) = reference_inputs(self.path("model"), manifest, 8)
        self.assertTrue(0 <= float(image.min()) and float(image.max()) <= 1)

    def test_the_task_is_guessed_by_names_and_shapes(self):
        from apertune_exporter.tensors.task import task_of

        image = [[1, 3, 64, 96]]
        for outputs, task in (
            ([("output", [1, 84, 126])], "detection"),  # grids of 8x12, 4x6 and 2x3 cells, in columns
            ([("output", [1, 378, 85])], "detection"),  # three anchors a cell, in rows
            ([("output", [1, 116, 126]), ("protos", [1, 32, 16, 24])], "other"),  # with masks
            ([("pred_boxes", [1, 9, 4]), ("pred_logits", [1, 9, 3])], "detection"),
            ([("output", [1, 10])], "classification"),
            ([("output", [1, 5, 64, 96])], "segmentation"),
            ([("output", [1, 126])], "classification"),
            ([("output", [1, 126, 4])], "other"),
        ):
            with self.subTest(outputs=outputs):
                self.assertEqual(task_of(image, outputs), task)
        self.assertEqual(task_of([[1, 4, 8, 8], [1, 5, 6]], [("output", [1, 4, 8, 8])]), "other")

    def test_an_artifact_is_replaced_but_a_folder_of_something_else_is_not(self):
        self.export(source("tiny"))
        self.export(source("tokens"))
        self.assertEqual(read_manifest(self.path("model"))["name"], "tokens")
        os.mkdir(self.path("mine"))
        with open(self.path("mine/diary.txt"), "w", encoding="utf-8") as stream:
            stream.write("private")
        status, last = run("export", source("tiny"), "--out", self.path("mine"))
        self.assertEqual((status, last["code"]), (1, "io"))
        self.assertEqual(os.listdir(self.path("mine")), ["diary.txt"])

    def test_what_a_killed_exporter_left_is_removed(self):
        pid = 2**22 + 1  # above the largest process id
        os.mkdir(self.path(f"model.partial-{pid}"))
        self.export(source("tiny"))
        self.assertEqual(os.listdir(self.folder), ["model"])

    def test_the_zoo_lists_what_its_entries_build(self):
        _, last = run("list", "--json")
        entries = {entry["name"]: entry for entry in json.loads(last["text"])}
        for name in ("resnet50", "vit_l_16", "swin_t", "deeplabv3_resnet50", "unet", "mobilenet_detector", "detr"):
            self.assertIn(name, entries)
        from apertune_exporter.sources.zoo import load_zoo

        for name, entry in entries.items():
            with self.subTest(name), torch.device("meta"):
                loaded = load_zoo(name, None)
                self.assertEqual(sum(p.numel() for p in loaded.module.parameters()), entry["parameters"])
                self.assertEqual(loaded.family, entry["family"])
