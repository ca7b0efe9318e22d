//! Inflated content of forms, which many pages of a file may paint: a letterhead, a stamp, a watermark.

use std::collections::BTreeMap;
use std::sync::Arc;

use lopdf::Stream;

/// Maximum size of the content of a form that is kept, in bytes.
const MAX_FORM: usize = 1 << 20;
/// Maximum size of all content that is kept, in bytes; when there is more, all is dropped and inflated again.
const MAX_KEPT: usize = 8 << 20;

/// Content of forms by the address of their stream: the objects of a file do not move while it is read.
#[derive(Default)]
pub(crate) struct FormCache {
    forms: BTreeMap<usize, Arc<[u8]>>,
    n_bytes: usize,
}

impl FormCache {
    /// Content of a form, if it is kept.
    pub(super) fn get(&self, form: &Stream) -> Option<Arc<[u8]>> {
        self.forms.get(&std::ptr::from_ref(form).addr()).map(Arc::clone)
    }

    /// Keeps the content of a form unless it is large.
    pub(super) fn keep(&mut self, form: &Stream, content: &Arc<[u8]>) {
        if content.len() > MAX_FORM {
            return;
        }
        if self.n_bytes + content.len() > MAX_KEPT {
            self.forms.clear();
            self.n_bytes = 0;
        }
        self.n_bytes += content.len();
        self.forms.insert(std::ptr::from_ref(form).addr(), Arc::clone(content));
    }
}

#[cfg(test)]
mod tests {
    use lopdf::Dictionary;

    use super::*;

    #[test]
    fn what_is_kept_is_bounded() {
        let forms: Vec<Stream> = (0..20).map(|_| Stream::new(Dictionary::new(), Vec::new())).collect();
        let (mut cache, content) = (FormCache::default(), Arc::from(vec![0; MAX_FORM]));
        for form in &forms {
            cache.keep(form, &content);
            assert!(cache.get(form).is_some() && cache.n_bytes <= MAX_KEPT);
            assert_eq!(cache.n_bytes, cache.forms.len() * MAX_FORM);
        }
        let large = Stream::new(Dictionary::new(), Vec::new());
        cache.keep(&large, &Arc::from(vec![0; MAX_FORM + 1]));
        assert!(cache.get(&large).is_none());
    }
}
