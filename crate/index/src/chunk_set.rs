//! Set of chunks in which the position of each is counted, not searched.
//!
//! A bit for each chunk of the document, and for each 64 of them the number of members before: the rank of a bit vector
//! (Jacobson, *Space-efficient Static Trees and Graphs*, FOCS 1989). A search over a list of members waits for memory at each of
//! its dozen steps, and a question asks thousands of times; these bits are a sixteenth of the list, and read once.

use document::ChunkId;

/// Chunks that a block has a bit for.
const BITS: usize = u64::BITS as usize;

/// A set of chunks of a document.
#[derive(Clone, Debug, Default)]
pub struct ChunkSet {
    blocks: Vec<Block>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Block {
    members: u64,
    /// Members in the blocks before.
    n_before: u32,
}

impl ChunkSet {
    /// The set of these chunks, in ascending order, of a document of `n_chunks`; others are left out.
    pub fn new(n_chunks: usize, chunks: impl Iterator<Item = ChunkId>) -> Self {
        let mut blocks = vec![Block::default(); n_chunks.div_ceil(BITS)];
        for chunk in chunks.filter(|chunk| chunk.idx() < n_chunks) {
            if let Some(block) = blocks.get_mut(chunk.idx() / BITS) {
                block.members |= 1 << (chunk.idx() % BITS);
            }
        }
        let mut n_before = 0;
        for block in &mut blocks {
            block.n_before = n_before;
            n_before += block.members.count_ones();
        }
        Self { blocks }
    }

    /// Position of a chunk among the members, ascending; `None` if it is none of them.
    pub fn position(&self, chunk: ChunkId) -> Option<usize> {
        let block = self.blocks.get(chunk.idx() / BITS)?;
        let bit = 1_u64 << (chunk.idx() % BITS);
        let is_member = block.members & bit != 0;
        is_member.then(|| (block.n_before + (block.members & (bit - 1)).count_ones()) as usize)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_position_is_the_number_of_members_before(
            members in prop::collection::btree_set(0_u32..300, 0..200),
            n_chunks in 0_usize..310,
        ) {
            let set = ChunkSet::new(n_chunks, members.iter().map(|&member| ChunkId(member)));
            let members: BTreeSet<u32> = members.into_iter().filter(|&member| (member as usize) < n_chunks).collect();
            for chunk in 0..400 {
                let naive = members.contains(&chunk).then(|| members.range(..chunk).count());
                prop_assert_eq!(set.position(ChunkId(chunk)), naive);
            }
            prop_assert_eq!(set.position(ChunkId(u32::MAX)), None);
        }
    }
}
