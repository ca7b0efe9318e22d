//! Rules on complaints in Chinese, which the embedding model cannot read. As a Word file only: the typesetter's fonts have
//! no Chinese.

use super::rulebook;
use super::sample::Sample;

/// Two chapters.
pub fn chinese() -> Sample {
    Sample {
        id: "complaints-zh",
        title: "投诉处理办法",
        description: "Rules on complaints, in Chinese.",
        questions: &["投诉记录应当保存多少年？"],
        quotations: &[],
        manuscript: "\
= 投诉处理办法

# 第一章 | 总则

公司应当自收到投诉之日起三十日内作出答复，并将投诉记录保存六年。

# 第二章 | 监督

监管机构可以检查公司保存的记录。
",
        ..rulebook::sample()
    }
}
