//! `pincite layout --html`: each page as a sheet with its blocks where they stand, for looking at with one's
//! own eyes; a document without pages as text, block by block. One static file, no script; text is escaped, so a
//! hostile document shows as itself.

use document::{Document, PageId, Rect};

use crate::layout_json::kind_name;

const STYLE: &str = "body{background:#777;font:9px/1.15 sans-serif;margin:1rem}
.page{position:relative;background:#fff;margin:0 auto 1rem;overflow:hidden}
.page>b{position:absolute;right:4px;top:2px;color:#999}
.block{position:absolute;overflow:hidden;border:1px solid;box-sizing:border-box}
.block:hover{overflow:visible;background:#ffe;z-index:1}
.heading{border-color:#c00;color:#c00;font-weight:bold}.paragraph{border-color:#36c}.list{border-color:#090}
.footnote{border-color:#c60;color:#960}.table{border-color:#909;white-space:pre-wrap}
.furniture{border-color:#aaa;color:#aaa}
.text{background:#fff;max-width:44rem;margin:0 auto;padding:2rem;font:15px/1.5 serif}
.text>.block{position:static;margin:.4rem 0;padding:.1rem .4rem}.text .list{margin-left:2rem}";

/// The document as a page of HTML.
pub(crate) fn render(document: &Document) -> String {
    let layout = &document.layout;
    let mut sheets: Vec<String> = vec![String::new(); layout.pages.len()];
    let mut place = |page: PageId, rect: &Rect, class: &str, text: &str| {
        let Some(sheet) = sheets.get_mut(page.idx()) else { return };
        let (width, height) = (rect.width(), rect.height());
        let (x, y) = (rect.x0, rect.y0);
        sheet.push_str(&format!(
            "<div class=\"block {class}\" style=\"left:{x:.1}pt;top:{y:.1}pt;width:{width:.1}pt;height:{height:.1}pt\">{}</div>\n",
            escape(text)
        ));
    };
    for block in &layout.blocks {
        for (page, range, rect) in layout.parts(block) {
            place(page, &rect, kind_name(block.kind), layout.slice(range));
        }
    }
    for item in &layout.furniture {
        place(item.page, &item.rect, "furniture", &item.text);
    }
    let mut html = format!(
        "<!doctype html>\n<meta charset=\"utf-8\">\n<title>{}</title>\n<style>{STYLE}</style>\n",
        escape(&document.name)
    );
    if layout.pages.is_empty() {
        html.push_str("<div class=\"text\">\n");
        for (at, block) in layout.blocks.iter().enumerate() {
            let marker = block.marker.as_deref().filter(|_| block.kind == document::BlockKind::Footnote);
            html.push_str(&format!(
                "<div class=\"block {}\" id=\"b{at}\">{}{}</div>\n",
                kind_name(block.kind),
                marker.map(|marker| format!("<sup>{}</sup> ", escape(marker))).unwrap_or_default(),
                escape(layout.slice(block.range))
            ));
        }
        html.push_str("</div>\n");
    }
    for (number, (sheet, info)) in (1..).zip(sheets.iter().zip(&layout.pages)) {
        let (width, height) = info.geometry.size();
        html.push_str(&format!(
            "<div class=\"page\" style=\"width:{:.1}pt;height:{:.1}pt\"><b>{number}</b>\n{sheet}</div>\n",
            width.0, height.0
        ));
    }
    html
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    #[test]
    fn markup_in_a_document_is_shown_not_obeyed() {
        assert_eq!(super::escape("<b a=\"1\">&"), "&lt;b a=&quot;1&quot;&gt;&amp;");
    }
}
