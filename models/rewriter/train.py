#!/usr/bin/env python3
"""Fine-tunes a small language model to rewrite questions, by the recipe of LCLF-QA (§3.1.1): QLoRA, r 64, α 128.

    pincite eval generate library --out questions.jsonl --llm URL --model M
    pincite eval curate library --queries questions.jsonl --out pairs.jsonl --llm URL --model M
    python3 -m venv target/rewriter-venv
    target/rewriter-venv/bin/pip install -r models/rewriter/requirements.txt
    target/rewriter-venv/bin/python models/rewriter/train.py --data pairs.jsonl --model DIR --out target/rewriter
    target/rewriter-venv/bin/python models/rewriter/train.py --check      # a few steps on a tiny random model

`--model` is a directory of a causal language model with a chat template, such as an instruct model of 3 to 8 billion
parameters. What comes out is that model with the adapter merged into it, to be served by any server that speaks chat
completions; README.md beside this file says how a profile uses it.

What: the weights are quantised to 4 bits (NF4, double quantisation; Dettmers et al. 2023, arXiv 2305.14314) and stay as
they are; a low-rank difference (LoRA, r 64, α 128) of every linear layer but the head is trained. Cross entropy over the
completion alone: the instructions are masked. Quantising needs CUDA; without it, the weights are float32 and the script
says so.

Data: JSON lines of `--format trl`: `prompt` (messages) and `completion` (one message). Every other format of `eval curate`
is for LLaMA-Factory.

Checkpoints: every `--save-every` updates, in OUT/checkpoints, the newest alone and none by halves; they go when the merged
model is written. A run over a folder that holds one goes on from there, with the examples in the order and the random
numbers that it would have had, if model, data and settings are the same, and is refused if they are not.
"""

import argparse
import json
import os
import shutil
import tempfile
from hashlib import sha256
from pathlib import Path

import torch
from datasets import Dataset
from peft import LoraConfig, PeftModel
from transformers import AutoModelForCausalLM, AutoTokenizer, BitsAndBytesConfig, TrainerCallback
from trl import SFTConfig, SFTTrainer

RANK, ALPHA, DROPOUT = 64, 128, 0.05
SEED = 1
# Folder beside the checkpoints where the trainer writes the next one, part by part.
UNFINISHED = "unfinished"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="examples of `pincite eval curate --format trl`")
    parser.add_argument("--model", type=Path, help="directory of the model to start from")
    parser.add_argument("--out", type=Path, help="directory to write: adapter/ and merged/")
    parser.add_argument("--epochs", type=float, default=3)
    parser.add_argument("--rate", type=float, default=2e-4, help="learning rate, the adapter's usual one")
    parser.add_argument("--batch", type=int, default=16, help="examples an update, one at a time")
    parser.add_argument("--max-length", type=int, default=1024, help="tokens of an example; longer ones are left out")
    parser.add_argument("--steps", type=int, default=-1, help="updates, instead of epochs")
    parser.add_argument("--save-every", type=int, default=50, help="updates from one checkpoint to the next")
    parser.add_argument("--anew", action="store_true", help="begin again, without the checkpoint that is there")
    parser.add_argument(
        "--check", action="store_true", help="a few steps on a tiny random model, on examples of our own"
    )
    args = parser.parse_args()
    if args.check:
        with tempfile.TemporaryDirectory() as folder:
            check(Path(folder), args.data)
        return
    if not (args.data and args.model and args.out):
        parser.error("expected --data, --model and --out, or --check")
    if args.save_every < 1:
        parser.error(f"--save-every is {args.save_every}, expected 1 or more")
    train(args, read(args.data))


def read(path):
    """The examples of a file: a prompt of messages and a completion of one."""
    examples = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        example = json.loads(line)
        if set(example) != {"prompt", "completion"} or len(example["completion"]) != 1:
            raise SystemExit(f"{path}:{number}: expected `prompt` and one `completion`; write it with --format trl")
        examples.append(example)
    if not examples:
        raise SystemExit(f"{path}: no examples")
    return examples


def train(args, examples, callbacks=()):
    """Trains, and writes the adapter and the merged model. Returns the trainer."""
    settings = settings_of(args, examples)
    checkpoints = args.out / "checkpoints"
    if args.anew:
        clear(checkpoints)
    checkpoint = checkpoint_for(checkpoints, settings)
    shutil.rmtree(checkpoints / UNFINISHED, ignore_errors=True)
    torch.manual_seed(SEED)
    tokenizer = AutoTokenizer.from_pretrained(args.model)
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    fitting = [example for example in examples if n_tokens(tokenizer, example) <= args.max_length]
    print(f"{len(fitting)} examples, {len(examples) - len(fitting)} left out over {args.max_length} tokens")
    if not fitting:
        raise SystemExit("no example fits: raise --max-length")
    if checkpoint:
        print(f"goes on from {checkpoint}")
    trainer = SFTTrainer(
        model=load(args.model, quantised=torch.cuda.is_available()),
        args=config(args),
        train_dataset=Dataset.from_list(fitting),
        processing_class=tokenizer,
        peft_config=LoraConfig(
            r=RANK, lora_alpha=ALPHA, lora_dropout=DROPOUT, target_modules="all-linear", task_type="CAUSAL_LM"
        ),
        callbacks=[Keep(checkpoints, settings), *callbacks],
    )
    trainable, total = trainer.model.get_nb_trainable_parameters()
    print(f"{trainable:,} of {total:,} parameters are trained")
    trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    trainer.save_model(args.out / "adapter")
    merge(args.model, args.out / "adapter").save_pretrained(args.out / "merged")
    tokenizer.save_pretrained(args.out / "merged")
    clear(checkpoints)
    return trainer


def settings_of(args, examples):
    """All that a run's losses depend on: a checkpoint is gone on with under the same ones alone."""
    model = sha256()
    for path in sorted(args.model.iterdir()):
        if path.is_file() and path.suffix != ".md":
            model.update(f"{path.name} {path.stat().st_size}\n".encode())
            with path.open("rb") as file:
                while part := file.read(1 << 24):
                    model.update(part)
    return {
        "model": f"of sha256 {model.hexdigest()[:16]}",
        "data": f"of sha256 {sha256(json.dumps(examples, sort_keys=True).encode()).hexdigest()[:16]}",
        "epochs": args.epochs,
        "rate": args.rate,
        "batch": args.batch,
        "max-length": args.max_length,
        "steps": args.steps,
        "quantised": torch.cuda.is_available(),
        "recipe": f"rank {RANK}, alpha {ALPHA}, dropout {DROPOUT}, seed {SEED}",
    }


def checkpoint_for(folder, settings):
    """The newest checkpoint of a folder, None where there is none; refuses one of other settings."""
    checkpoint = max(folder.glob("checkpoint-*"), key=number_of, default=None)
    if checkpoint is None:
        return None
    made = json.loads((checkpoint / Keep.SETTINGS).read_text(encoding="utf-8"))
    names = [name for name in {**made, **settings} if made.get(name) != settings.get(name)]
    if names:
        then, now = (", ".join(f"{name} {each.get(name)}" for name in names) for each in (made, settings))
        raise SystemExit(
            f"{checkpoint} was made with {then}, and this run has {now}: give the same, another --out, or --anew"
        )
    return checkpoint


def number_of(checkpoint):
    """Updates that were made before a checkpoint."""
    return int(checkpoint.name.removeprefix("checkpoint-"))


class Keep(TrainerCallback):
    """Keeps the trainer's checkpoints: each gets its name when all of it is on disk, and takes the place of those before."""

    SETTINGS = "pincite.json"

    def __init__(self, folder, settings):
        self.folder, self.settings = folder, settings

    def on_save(self, args, state, control, **kwargs):
        written = Path(args.output_dir) / f"checkpoint-{state.global_step}"
        (written / self.SETTINGS).write_text(json.dumps(self.settings, indent=2), encoding="utf-8")
        for path in [*written.rglob("*"), written]:
            flush(path)
        kept = self.folder / written.name
        written.rename(kept)
        flush(self.folder)
        for other in self.folder.glob("checkpoint-*"):
            if other != kept:
                drop(other)


def clear(folder):
    """Removes a folder of checkpoints."""
    for checkpoint in folder.glob("checkpoint-*"):
        drop(checkpoint)
    shutil.rmtree(folder, ignore_errors=True)


def drop(checkpoint):
    """Removes a checkpoint, which loses its name first: one that is half gone is not gone on with."""
    gone = checkpoint.with_name("gone")
    shutil.rmtree(gone, ignore_errors=True)
    checkpoint.rename(gone)
    shutil.rmtree(gone)


def flush(path):
    """Waits until a file or a folder is on disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def n_tokens(tokenizer, example):
    """Tokens of an example as it is trained on."""
    return len(tokenizer.apply_chat_template(example["prompt"] + example["completion"], return_dict=True)["input_ids"])


def load(model, quantised):
    """The model, in 4 bits where there is CUDA."""
    if not quantised:
        print("no CUDA: the weights are float32, not quantised to 4 bits")
        return AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32)
    bits = BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=torch.bfloat16,
    )
    return AutoModelForCausalLM.from_pretrained(model, quantization_config=bits, dtype=torch.bfloat16)


def config(args):
    """The trainer's settings: the paper's where it gives them, the usual ones of QLoRA elsewhere."""
    has_cuda = torch.cuda.is_available()
    return SFTConfig(
        output_dir=str(args.out / "checkpoints" / UNFINISHED),
        completion_only_loss=True,
        max_length=args.max_length,
        num_train_epochs=args.epochs,
        max_steps=args.steps,
        per_device_train_batch_size=1,
        gradient_accumulation_steps=args.batch,
        gradient_checkpointing=has_cuda,
        learning_rate=args.rate,
        lr_scheduler_type="cosine",
        warmup_steps=0.03,
        optim="paged_adamw_8bit" if has_cuda else "adamw_torch",
        bf16=has_cuda,
        use_cpu=not has_cuda,
        dataloader_pin_memory=has_cuda,
        logging_steps=1,
        save_strategy="steps",
        save_steps=args.save_every,
        report_to="none",
        seed=SEED,
    )


def merge(model, adapter):
    """The model with the adapter in its weights, which are loaded anew: quantised ones cannot be merged without loss."""
    dtype = torch.bfloat16 if torch.cuda.is_available() else torch.float32
    whole = AutoModelForCausalLM.from_pretrained(model, dtype=dtype)
    return PeftModel.from_pretrained(whole, adapter).merge_and_unload()


# --check: the script runs, the instructions are masked, the loss falls, the merged model loads, and a run that is
# interrupted goes on as if it had not been. It says nothing of how well anything is rewritten.

TEMPLATE = (
    "{% for message in messages %}<|{{ message['role'] }}|>{{ message['content'] }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def check(folder, data):
    """Trains a tiny random model for a few steps and checks what must hold."""
    examples = read(data) if data else [own_example(number) for number in range(8)]
    tiny(folder / "tiny", examples)
    given = {"epochs": 1, "rate": 5e-3, "batch": 2, "max_length": 4096, "steps": 12, "save_every": 5, "anew": False}
    args = argparse.Namespace(model=folder / "tiny", out=folder / "out", **given)
    trainer = train(args, examples)
    batch = next(iter(trainer.get_train_dataloader()))
    ids, labels = batch["input_ids"][0], batch["labels"][0]
    tokenizer = trainer.processing_class
    learnt = tokenizer.decode(ids[labels != -100])
    assert '"rewrites"' in learnt and "Question:" not in learnt, f"not the completion alone: {learnt[:200]}"
    losses = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
    assert losses[-1] < losses[0], losses
    before = AutoModelForCausalLM.from_pretrained(folder / "tiny").state_dict()
    merged = AutoModelForCausalLM.from_pretrained(folder / "out" / "merged").state_dict()
    changed = [name for name, weight in merged.items() if not torch.equal(weight.float(), before[name].float())]
    assert changed and not any("embed" in name or "lm_head" in name for name in changed), changed
    check_interrupted(args, examples, losses)
    print(f"{int((labels != -100).sum())} of {len(labels)} tokens of an example count for the loss")
    print(
        f"loss {losses[0]:.3f} → {losses[-1]:.3f} in {len(losses)} steps; {len(changed)} matrices changed by the merge"
    )


def check_interrupted(args, examples, losses):
    """Interrupts a run in the midst of an epoch and of a checkpoint, goes on, and compares the losses."""

    class Interrupt(TrainerCallback):
        def on_step_end(self, args, state, control, **kwargs):
            if state.global_step == 7:
                raise KeyboardInterrupt

    args = argparse.Namespace(**{**vars(args), "out": args.out.with_name("interrupted")})
    try:
        train(args, examples, [Interrupt()])
        raise AssertionError("it was not interrupted")
    except KeyboardInterrupt:
        pass
    (args.out / "checkpoints" / UNFINISHED / "checkpoint-10").mkdir(parents=True)
    try:
        train(argparse.Namespace(**{**vars(args), "rate": 1e-3}), examples)
        raise AssertionError("a checkpoint of another rate was taken up")
    except SystemExit as refused:
        assert "rate 0.005" in str(refused) and "rate 0.001" in str(refused), refused
    trainer = train(args, examples)
    again = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
    # The same products on the same CPU; a GPU adds them up in another order each time.
    most = 0.05 if torch.cuda.is_available() else 0
    assert len(again) == len(losses) and max(abs(a - b) for a, b in zip(again, losses)) <= most, (again, losses)
    assert not (args.out / "checkpoints").exists()
    print(f"interrupted after 7 steps and gone on with from 5: the losses are the same to {most}")


def own_example(number):
    """An example of the form that `pincite eval curate` writes."""
    question = f"Who pays the fee under case {number}?"
    rewrites = {"question": question, "rewrites": [f"Which party is liable to pay the filing fee of case {number}?"]}
    return {
        "prompt": [
            {"role": "system", "content": "Step: rewrite\nYou prepare questions for a search in legal documents."},
            {"role": "user", "content": f"Question:\n{question}"},
        ],
        "completion": [{"role": "assistant", "content": json.dumps(rewrites)}],
    }


def tiny(folder, examples):
    """A Llama of random weights with two layers, and a tokenizer of bytes made from the examples."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    texts = [message["content"] for example in examples for message in example["prompt"] + example["completion"]]
    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    special = ["<|end|>", "<|system|>", "<|user|>", "<|assistant|>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    bpe.train_from_iterator(
        texts, trainers.BpeTrainer(vocab_size=600, special_tokens=special, initial_alphabet=alphabet)
    )
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=bpe, eos_token="<|end|>", pad_token="<|end|>")
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(folder)
    torch.manual_seed(SEED)
    shape = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=128,
        intermediate_size=256,
        num_hidden_layers=2,
        num_attention_heads=4,
        max_position_embeddings=8192,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    LlamaForCausalLM(shape).save_pretrained(folder)


if __name__ == "__main__":
    main()
