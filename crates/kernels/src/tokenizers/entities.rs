//! Undoing what SGML files do to a text: entities, `<skipped>`, hyphenation at line ends.

use std::borrow::Cow;

use memchr::{memchr, memmem};

/// The entities that mteval and `TERcom` undo, in their order: `&amp;lt;` becomes `<`.
const ENTITIES: [(&str, &str); 4] = [("&quot;", "\""), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")];

/// `text` without `<skipped>`, with broken lines joined and four entities undone.
pub fn clean(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    if memchr(b'<', text.as_bytes()).is_some() {
        replace(&mut text, "<skipped>", "");
    }
    if memchr(b'\n', text.as_bytes()).is_some() {
        replace(&mut text, "-\n", "");
        replace(&mut text, "\n", " ");
    }
    unescape(&mut text);
    text
}

/// Undoes the four entities in place.
pub fn unescape(text: &mut Cow<'_, str>) {
    if memchr(b'&', text.as_bytes()).is_some() {
        for (entity, character) in ENTITIES {
            replace(text, entity, character);
        }
    }
}

/// Replaces every `from`, and copies the text only if there is one.
pub fn replace(text: &mut Cow<'_, str>, from: &str, to: &str) {
    if memmem::find(text.as_bytes(), from.as_bytes()).is_some() {
        *text = Cow::Owned(text.replace(from, to));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_are_undone_one_after_the_other() {
        assert_eq!(clean("a &amp;lt; b"), "a < b");
        assert_eq!(clean("no<skipped>thing"), "nothing");
        assert_eq!(clean("hyphen-\nated\nline"), "hyphenated line");
    }

    #[test]
    fn a_plain_text_is_not_copied() {
        assert!(matches!(clean("plain & simple"), Cow::Borrowed(_)));
    }
}
