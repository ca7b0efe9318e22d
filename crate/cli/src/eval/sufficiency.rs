//! `pincite eval sufficiency`: how well the probability of sufficient evidence separates answerable from unanswerable
//! questions (AUROC, false refusals, calibration).
//!
//! A seeded half of the judged questions is made unanswerable by removing their relevant passages from the library, a
//! part of the questions at a time, so that no gap betrays the removal. Near copies of a removed passage stay and may
//! still answer, so no judge can be perfect. With `--strange` nothing is removed; the unanswerable questions are those
//! of that file.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ::index::vector::{Exact, QueryVector};
use ::index::{Index, Stats, TermStats};
use answer::{Evidence, Language, QuestionAnalysis, TermWeights};
use document::{ChunkId, Hit};
use engine::Embedder as _;
use native::model::Activations;
use retrieval::{Glossary, Lexicon, ModelScripts, Options, Query, Ranker, SearchUnits};
use serde_json::{Value, json};
use text::AnalyzerKind;

use crate::eval::retrieval::corpus::{Children, Corpus, JudgedQuestion, Queries, digest_of};
use crate::eval::retrieval::vectors::{self, PassageVectors, TextEmbedder};
use crate::failure::Failure;
use crate::threads::ThreadArgs;

/// Passages handed to the judge.
const N_EVIDENCE: usize = 12;
/// Number of libraries, each without the passages of its part of the questions. One for each question would be more
/// exact and take hours; one for all would also remove passages that answerable questions share.
const N_PARTS: usize = 16;
/// Share of unanswerable questions refused at the threshold where false refusals are counted.
const TRUE_REFUSALS: f64 = 0.7;
/// Bins of the calibration table.
const N_BINS: usize = 10;

/// Arguments of `pincite eval sufficiency`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The passages: JSON lines with `id`, `text`, optional `title`, `chapter`; may be gzipped.
    #[arg(long)]
    corpus: PathBuf,
    /// The questions: JSON lines with `qid`, `query`; may be gzipped.
    #[arg(long)]
    queries: PathBuf,
    /// The judgments: `qid 0 id relevance`; may be gzipped.
    #[arg(long)]
    qrels: PathBuf,
    /// Questions that the corpus does not answer; no passages are removed then.
    #[arg(long, requires = "strange_qrels")]
    strange: Option<PathBuf>,
    /// Judgments of --strange; only judged questions are asked.
    #[arg(long)]
    strange_qrels: Option<PathBuf>,
    /// Seed that chooses the unanswerable half.
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// Directory of the embedding model.
    #[arg(long)]
    embedder: Option<PathBuf>,
    /// Judge by words alone.
    #[arg(long)]
    lexical: bool,
    /// File that caches vectors; used where texts and model are the same.
    #[arg(long)]
    vectors: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadArgs,
    /// File for the signals of each question with and without its passages, for training.
    #[arg(long, value_name = "FILE")]
    signals: Option<PathBuf>,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
}

/// A question with the judge's probability.
struct Judged {
    is_answerable: bool,
    probability: f64,
    is_sufficient: bool,
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let corpus = Corpus::read(&args.corpus)?;
    let queries = Queries::read(&args.queries, &args.qrels)?;
    let session = if args.lexical {
        None
    } else {
        crate::model::load(args.embedder.as_deref(), Activations::default())?
    };
    let kept = args.vectors.as_deref();
    let embedder = |session| TextEmbedder { session, n_threads: args.threads.count(), kept };
    let reader = Reader { embedder: session.as_ref().map(embedder) };
    let passages = reader.passages(&corpus)?;
    let asked: Vec<Asked<'_>> = reader.asked(&queries)?;
    let whole = Library::new(&corpus, &passages, &reader)?;
    let mut out = Output::new(args)?;
    let (robbed, left): (Vec<&Asked<'_>>, Vec<&Asked<'_>>) =
        asked.iter().partition(|asked| args.strange.is_none() && is_in_half(args.seed, &asked.question.qid));
    let both = args.signals.is_some();
    let (whole_for, robbed_for) =
        if both { (asked.iter().collect(), asked.iter().collect()) } else { (left, robbed) };
    for asked in whole_for {
        out.judge(&whole, asked, true)?;
    }
    if let (Some(strange), Some(qrels)) = (&args.strange, &args.strange_qrels) {
        let queries = Queries::read(strange, qrels)?;
        for asked in reader.asked(&queries)? {
            out.judge(&whole, &asked, false)?;
        }
        return out.finish(args);
    }
    for part in 0..N_PARTS {
        let members: Vec<&&Asked<'_>> = robbed_for.iter().skip(part).step_by(N_PARTS).collect();
        let gold = members.iter().flat_map(|asked| queries.judgments(&asked.question.qid));
        let gone: BTreeSet<&str> = gold.filter(|(_, gain)| **gain > 0).map(|(id, _)| id.as_str()).collect();
        let library = whole.without(&gone, &corpus, &passages)?;
        for asked in members {
            out.judge(&library, asked, false)?;
        }
    }
    out.finish(args)
}

/// The analyzer and the encoder.
struct Reader<'a> {
    embedder: Option<TextEmbedder<'a>>,
}

/// A question with its vector.
struct Asked<'a> {
    question: &'a JudgedQuestion,
    vector: Option<Vec<f32>>,
}

impl Reader<'_> {
    /// The vectors of the passages that the model can read.
    fn passages(&self, corpus: &Corpus) -> Result<PassageVectors, Failure> {
        let Some(embedder) = &self.embedder else { return Ok(PassageVectors::new()) };
        embedder.passages(corpus, ModelScripts::default())
    }

    /// The judged questions; those that the model cannot read have no vector.
    fn asked<'q>(&self, queries: &'q Queries) -> Result<Vec<Asked<'q>>, Failure> {
        let is_read = |question: &JudgedQuestion| ModelScripts::default().can_read(&question.text);
        let read = queries.judged().filter(|question| is_read(question));
        let texts: Vec<String> = read.map(|question| question.text.clone()).collect();
        let rows = match &self.embedder {
            Some(embedder) => embedder.rows("questions", &texts)?,
            None => Vec::new(),
        };
        let mut rows = rows.into_iter();
        let with_vector = |question: &'q JudgedQuestion| {
            let vector = if is_read(question) { rows.next() } else { None };
            Asked { question, vector }
        };
        Ok(queries.judged().map(with_vector).collect())
    }
}

/// The searched library.
struct Library {
    index: Index,
    stats: Stats,
    lexicon: Lexicon,
    fingerprint: String,
}

impl TermWeights for Library {
    fn idf(&self, term: &str) -> f64 {
        retrieval::idf(TermStats::of(&self.index, term).doc_freq, self.stats.n_units)
    }
}

impl Library {
    fn new(corpus: &Corpus, passages: &PassageVectors, reader: &Reader<'_>) -> Result<Self, Failure> {
        let mut index = Index::default();
        for segment in corpus.segments(AnalyzerKind::Default, Children::Same) {
            index.insert(Arc::new(segment));
        }
        let fingerprint = reader.embedder.as_ref().map_or("", |embedder| embedder.session.fingerprint());
        if !fingerprint.is_empty() {
            for (document, members) in corpus.members().enumerate() {
                vectors::add(&mut index, document, members, passages, fingerprint)?;
            }
        }
        Ok(Self::over(index, fingerprint))
    }

    fn over(index: Index, fingerprint: &str) -> Self {
        let (stats, lexicon) = (Stats::of(&index), Lexicon::of(&index));
        Self { stats, lexicon, fingerprint: fingerprint.to_owned(), index }
    }

    /// A copy without some passages; only their documents are rebuilt.
    fn without(
        &self,
        gone: &BTreeSet<&str>,
        corpus: &Corpus,
        passages: &PassageVectors,
    ) -> Result<Self, Failure> {
        let mut index = self.index.clone();
        for (document, members, segment) in corpus.without(gone, AnalyzerKind::Default) {
            match segment {
                Some(segment) => drop(index.insert(Arc::new(segment))),
                None => drop(index.remove(&digest_of(document))),
            }
            if !self.fingerprint.is_empty() && !members.is_empty() {
                vectors::add(&mut index, document, &members, passages, &self.fingerprint)?;
            }
        }
        Ok(Self::over(index, &self.fingerprint))
    }

    /// The passages that `ask` would retrieve.
    fn find(&self, question: &str, vector: Option<&[f32]>) -> Vec<Hit> {
        let vector = vector.map(|values| QueryVector { fingerprint: &self.fingerprint, values });
        let read = retrieval::AnalyzedQuery::read(question, &self.lexicon, &Glossary::default());
        let query = Query {
            text: question,
            vector,
            analysis: Some(&read),
            citations: Some(self.lexicon.citations()),
        };
        let options = Options {
            k: N_EVIDENCE,
            units: SearchUnits::Article,
            ranker: Ranker::default(),
            ..Options::default()
        };
        let second = engine::second_stage(question);
        retrieval::search_with(&self.index, &Exact::new(&self.index), second, &query, &options)
    }

    fn evidence(&self, hits: &[Hit], vector: Option<&[f32]>) -> Vec<Evidence<'_>> {
        let cosine = |hit: &Hit| {
            let entry = self.index.get(hit.document)?;
            let child = ChunkId::from_idx(hit.chunk.idx() + 1);
            let row = entry.vectors().row(entry.segment().row_of(child)?)?;
            vector.and_then(|vector| row.dot(vector))
        };
        let item = |hit: &Hit| {
            Some(Evidence {
                document: hit.document,
                source: self.index.get(hit.document)?.segment().document(),
                chunk: hit.chunk,
                score: hit.score,
                cosine: cosine(hit),
            })
        };
        hits.iter().filter_map(item).collect()
    }
}

/// The judged questions, and the file of signals.
struct Output<'a> {
    judged: Vec<Judged>,
    file: Option<(&'a Path, BufWriter<File>)>,
}

impl<'a> Output<'a> {
    fn new(args: &'a Args) -> Result<Self, Failure> {
        let mut file = None;
        if let Some(path) = &args.signals {
            let io = |error: std::io::Error| Failure::io(path, &error);
            let mut opened = BufWriter::new(File::create(path).map_err(io)?);
            writeln!(opened, "qid\tlanguage\tanswerable\t{}", answer::SIGNALS.join("\t")).map_err(io)?;
            file = Some((path.as_path(), opened));
        }
        Ok(Self { judged: Vec::new(), file })
    }

    fn judge(&mut self, library: &Library, asked: &Asked<'_>, is_answerable: bool) -> Result<(), Failure> {
        let (question, vector) = (&asked.question.text, asked.vector.as_deref());
        let hits = library.find(question, vector);
        let evidence = library.evidence(&hits, vector);
        let analysis = QuestionAnalysis::of(question);
        if let Some((path, file)) = &mut self.file {
            let signals = answer::signals(analysis.words(), &evidence, None, library);
            let row: Vec<String> = signals.iter().map(|value| format!("{value:.6}")).collect();
            let language = if Language::of(question) == Language::Chinese { "zh" } else { "en" };
            let qid = &asked.question.qid;
            writeln!(file, "{qid}\t{language}\t{}\t{}", u8::from(is_answerable), row.join("\t"))
                .map_err(|error| Failure::io(path, &error))?;
        }
        let found = answer::sufficiency(analysis.words(), &evidence, None, library);
        self.judged.push(Judged {
            is_answerable,
            probability: found.probability,
            is_sufficient: found.answerability > answer::Answerability::Silent,
        });
        Ok(())
    }

    fn finish(mut self, args: &Args) -> Result<(), Failure> {
        if let Some((path, file)) = &mut self.file {
            file.flush().map_err(|error| Failure::io(path, &error))?;
        }
        report(args, &self.judged)
    }
}

/// True if a question belongs to the unanswerable half.
fn is_in_half(seed: u64, qid: &str) -> bool {
    let digest = engine::digest(format!("{seed}:{qid}").as_bytes());
    digest.bytes().next().is_some_and(|digit| digit % 2 == 0)
}

fn report(args: &Args, judged: &[Judged]) -> Result<(), Failure> {
    let measures = measures(judged);
    if args.json {
        return crate::input::print_json(&measures);
    }
    for (name, value) in measures.as_object().into_iter().flatten() {
        say!("{name:24} {value}");
    }
    Ok(())
}

fn measures(judged: &[Judged]) -> Value {
    let of = |is_answerable: bool| {
        let mut values: Vec<f64> = judged
            .iter()
            .filter(|one| one.is_answerable == is_answerable)
            .map(|one| one.probability)
            .collect();
        values.sort_by(f64::total_cmp);
        values
    };
    let (present, absent) = (of(true), of(false));
    let share = |n: usize, all: usize| n as f64 / all.max(1) as f64;
    // The least threshold that refuses enough unanswerable questions.
    let n_wanted = (TRUE_REFUSALS * absent.len() as f64).ceil() as usize;
    let threshold = absent.get(n_wanted.saturating_sub(1)).copied().unwrap_or(0.0);
    let refused = |values: &[f64]| values.iter().filter(|&&value| value <= threshold).count();
    let rates = |is_answerable: bool| {
        let these = || judged.iter().filter(move |one| one.is_answerable == is_answerable);
        share(these().filter(|one| !one.is_sufficient).count(), these().count())
    };
    let brier = judged.iter().map(|one| {
        let miss = one.probability - f64::from(u8::from(one.is_answerable));
        miss * miss
    });
    let bins: Vec<Value> = (0..N_BINS)
        .filter_map(|bin| {
            let inside = |one: &&Judged| ((one.probability * N_BINS as f64) as usize).min(N_BINS - 1) == bin;
            let members: Vec<&Judged> = judged.iter().filter(inside).collect();
            let n = members.len();
            let mean = members.iter().map(|one| one.probability).sum::<f64>() / n.max(1) as f64;
            let right = members.iter().filter(|one| one.is_answerable).count();
            (n > 0).then(|| json!({ "questions": n, "probability": mean, "answerable": share(right, n) }))
        })
        .collect();
    json!({
        "answerable": present.len(),
        "unanswerable": absent.len(),
        "auroc": auroc(&present, &absent),
        "brier": brier.sum::<f64>() / judged.len().max(1) as f64,
        "threshold_at_70": threshold,
        "true_refusals_at_70": share(refused(&absent), absent.len()),
        "false_refusals_at_70": share(refused(&present), present.len()),
        "true_refusals": rates(false),
        "false_refusals": rates(true),
        "calibration": bins,
    })
}

/// AUROC: the probability that an answerable question has the higher value; ties count half. Both lists ascend.
fn auroc(present: &[f64], absent: &[f64]) -> f64 {
    let wins = present.iter().map(|&value| {
        let below = absent.partition_point(|&other| other < value);
        let equal = absent.partition_point(|&other| other <= value) - below;
        below as f64 + equal as f64 / 2.0
    });
    wins.sum::<f64>() / (present.len() * absent.len()).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auroc_is_one_for_a_perfect_judge_and_half_for_one_that_does_not_know() {
        assert!((auroc(&[0.6, 0.9], &[0.1, 0.2]) - 1.0).abs() < 1e-12);
        assert!((auroc(&[0.5, 0.5], &[0.5]) - 0.5).abs() < 1e-12);
        assert!((auroc(&[0.1, 0.9], &[0.5]) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn about_half_of_the_questions_lose_their_passages_and_always_the_same() {
        let robbed = (0..1000).filter(|n| is_in_half(7, &n.to_string())).count();
        assert!((400..600).contains(&robbed), "{robbed}");
        assert_eq!(is_in_half(7, "q1"), is_in_half(7, "q1"));
    }
}
