//! Cosines of articles, against a look at every child by all bits.

use document::{ChunkId, ChunkKind, DocumentIdx};
use index::VectorBatch;
use index::vector::{Exact, QueryVector};
use proptest::prelude::*;

use super::{Builder, index_of};
use crate::Options;
use crate::filter::Scope;
use crate::knn::DenseRetriever;

const N_DIMS: usize = 24;

fn unit(values: Vec<f32>) -> Vec<f32> {
    let length = values.iter().map(|value| value * value).sum::<f32>().sqrt();
    values.into_iter().map(|value| value / length).collect()
}

proptest! {
    #[test]
    fn an_article_has_the_cosine_of_its_nearest_child_to_the_last_bit(
        // Children that eight bits a value do not tell apart, and some that are the same.
        children in prop::collection::vec(prop::collection::vec(-3_i8..=3, N_DIMS), 1..12),
        query in prop::collection::vec(-1.0_f32..1.0, N_DIMS),
    ) {
        let near = |(at, noise): (usize, i8)| (at as f32 + 1.0) * 0.1 + f32::from(noise) * 0.003;
        let rows: Vec<Vec<f32>> = children
            .into_iter()
            .map(|noise| unit(noise.into_iter().enumerate().map(near).collect()))
            .collect();
        let article = Builder::new("a").chunk(ChunkKind::Article, "all", 1, None, &[]);
        let with_children =
            rows.iter().fold(article, |made, _| made.chunk(ChunkKind::Child, "part", 1, Some(0), &[]));
        let mut index = index_of(vec![with_children]);
        index.add_vectors(&VectorBatch::new("a", "m", 0, &rows).unwrap()).unwrap();
        prop_assume!(query.iter().any(|value| value.abs() > 0.1));
        let query = unit(query);
        let options = Options::default();
        let scope = Scope::new(&index, &options);
        let asked = Some(QueryVector { fingerprint: "m", values: &query });
        let dense = DenseRetriever::search(&index, &Exact::new(&index), asked, &options, &scope);

        let vectors = index.get(DocumentIdx(0)).unwrap().vectors();
        let cosines = (0..rows.len()).map(|row| (vectors.row(row).unwrap().dot(&query).unwrap(), row));
        let nearest = cosines.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        prop_assert_eq!(dense.nearest(DocumentIdx(0), ChunkId(0)), Some(nearest));
        let near = dense.near_cosine(DocumentIdx(0), ChunkId(0)).unwrap();
        prop_assert!((near - nearest.0).abs() < 0.02, "{near} {}", nearest.0);

        let other = Some(QueryVector { fingerprint: "other", values: &query });
        let dense = DenseRetriever::search(&index, &Exact::new(&index), other, &options, &scope);
        prop_assert_eq!(dense.nearest(DocumentIdx(0), ChunkId(0)), None);
        prop_assert_eq!(dense.near_cosine(DocumentIdx(0), ChunkId(0)), None);
    }
}
