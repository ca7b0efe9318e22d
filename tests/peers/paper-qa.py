#!/usr/bin/env python3
"""PaperQA2's retrieval: `Docs.aadd` of each file, `Docs.retrieve_texts` (vectors, diversified by MMR).

Rankings `default` (chunks of 5,000 characters, as it comes), `chunks of 1,000` (about what the embedding model reads),
and `sparse`, its embedding without a model. By default it embeds with OpenAI; here with the server of `embeddings.py`. Two
settings differ from its own, since they ask a language model or the web while reading: no pictures (`multimodal`), and
citations given rather than looked up. Answers are those of `Docs.aquery` with `evidence_skip_summary`: the model is not
asked to summarise each of ten passages first, but given the best five whole, in one request.
"""

import asyncio
import pickle
import re
import sys

from exchange import N_PASSAGES, answer_all, arguments, documents, rank_all, stay_local

stay_local()

from paperqa import Docs, Settings  # noqa: E402
from paperqa.settings import MultimodalOptions  # noqa: E402

RANKINGS = {"default": {}, "chunks of 1,000": {"chunk_chars": 1000, "overlap": 100}, "sparse": {}}


def settings(args, name, **answer):
    sparse = name == "sparse"
    made = Settings(embedding="sparse" if sparse else "openai/all-MiniLM-L6-v2", answer=answer)
    if not sparse:
        made.embedding_config = {"kwargs": {"api_base": args.embeddings, "api_key": "none", "encoding_format": "float"}}
    made.parsing.multimodal = MultimodalOptions.OFF
    made.parsing.use_doc_details = False
    made.parsing.reader_config = {**made.parsing.reader_config, **RANKINGS[name]}
    return made


async def read(path, chosen):
    """The chunks of one file, named by it; none of a file that it cannot read."""
    docs = Docs()
    try:
        await docs.aadd(path, citation=path.name, docname=path.stem, settings=chosen)
    except Exception as error:
        print(f"{path.name} is left out: {error!r}", file=sys.stderr, flush=True)
    return docs


def library(args, name, chosen):
    """A `Docs` for each file and one of all."""
    kept = args.out / f"{name}.pickle"
    if not kept.exists():
        made = {path.name: asyncio.run(read(path, chosen)) for path in documents(args)}
        kept.write_bytes(pickle.dumps(made))
    alone = pickle.loads(kept.read_bytes())
    together = Docs()
    for docs in alone.values():
        together.docs.update(docs.docs)
        together.docnames |= docs.docnames
        together.texts += docs.texts
    return alone, together


def passage(text):
    first, last = re.search(r" pages (\d+)-(\d+)$", text.name).groups()
    return {"document": text.doc.docname + ".pdf", "pages": list(range(int(first), int(last) + 1)), "text": text.text}


async def answer(docs, args, question, base):
    chosen = settings(args, "default", evidence_skip_summary=True)
    chosen.llm = chosen.summary_llm = "openai/m"
    limits = {"model": "openai/m", "api_base": base, "api_key": "none", "timeout": 3600}
    chosen.llm_config = chosen.summary_llm_config = {"model_list": [{"model_name": "openai/m", "litellm_params": limits}]}
    session = await docs.aquery(question, settings=chosen)
    cited = [context for context in session.contexts if context.id in session.raw_answer]
    cited.sort(key=lambda context: session.raw_answer.index(context.id))
    return session.raw_answer, [passage(context.text) for context in cited]


def main():
    args = arguments(__doc__)
    if args.llm:
        alone, _ = library(args, "default", settings(args, "default"))
        return answer_all(args, lambda question, document, base: asyncio.run(answer(alone[document], args, question, base)))
    for name in RANKINGS:
        chosen = settings(args, name)
        alone, together = library(args, name, chosen)

        def ask(question, document):
            docs = alone[document] if document else together
            return [passage(text) for text in asyncio.run(docs.retrieve_texts(question, N_PASSAGES, settings=chosen))]

        rank_all(args, name, ask)


if __name__ == "__main__":
    main()
