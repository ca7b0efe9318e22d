//! Prints what reading the pages of PDFs costs, one line a file: its size, pages, and the costs that `pages::Limits`
//! bounds, with what of each allowance is spent. The thresholds were chosen by it.
//!
//! `cargo run -p pincite-pages --example costs -- FILE...`

use document::PageId;

fn main() {
    let limits = pages::Limits::default();
    println!("bytes\tpages\tinflated\toperators\tcharacters\truns\tsteps\tspent\tms\tfile");
    for file in std::env::args().skip(1) {
        let Ok(bytes) = std::fs::read(&file) else { continue };
        let options = pages::Options::default();
        #[expect(clippy::disallowed_methods, reason = "a program that measures")]
        let start = std::time::Instant::now();
        let Ok(reader) = pages::Reader::open(&bytes, &options) else { continue };
        for idx in 0..reader.n_pages() {
            drop(reader.page(PageId::from_idx(idx)));
        }
        let took = start.elapsed().as_millis();
        let pages::Costs { inflated, operators, characters, runs, steps } = reader.costs();
        let n = bytes.len();
        let spent = [
            (inflated, limits.inflated),
            (operators, limits.operators),
            (characters, limits.characters),
            (runs, limits.runs),
            (steps, limits.steps),
        ]
        .map(|(cost, allowance)| format!("{:.1}%", 100.0 * cost as f64 / allowance.of(n) as f64));
        println!(
            "{n}\t{}\t{inflated}\t{operators}\t{characters}\t{runs}\t{steps}\t{}\t{took}\t{file}",
            reader.n_pages(),
            spent.join(" ")
        );
    }
}
