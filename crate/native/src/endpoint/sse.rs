//! Server-sent events: the `data` of each event of a stream, as the HTML standard reads them. Comments and other
//! fields are passed over; an event that the stream ends in is taken, because servers forget the last empty line.

/// The data of the events of a stream.
pub(super) fn events(stream: &str) -> Vec<String> {
    let mut events = Vec::new();
    let mut data: Option<String> = None;
    let stream = stream.strip_prefix('\u{feff}').unwrap_or(stream);
    let unified = stream.replace("\r\n", "\n").replace('\r', "\n");
    for line in unified.split('\n') {
        if line.is_empty() {
            events.extend(data.take());
            continue;
        }
        let Some(value) = line.strip_prefix("data") else { continue };
        let Some(value) = value.strip_prefix(':').or(Some(value).filter(|rest| rest.is_empty())) else {
            continue;
        };
        let value = value.strip_prefix(' ').unwrap_or(value);
        match &mut data {
            Some(data) => {
                data.push('\n');
                data.push_str(value);
            }
            None => data = Some(value.to_owned()),
        }
    }
    events.extend(data);
    events.retain(|event| !event.is_empty());
    events
}

#[cfg(test)]
mod tests {
    use super::events;

    #[test]
    fn any_line_ending_is_read_and_comments_are_skipped() {
        let stream = "\u{feff}: hello\r\ndata: a\r\ndata: b\r\n\r\nevent: x\rdata:c\r\rid: 1\n\ndataset: no\n\ndata: d";
        assert_eq!(events(stream), ["a\nb", "c", "d"]);
        assert!(events("").is_empty() && events("data\n\n").is_empty());
    }
}
