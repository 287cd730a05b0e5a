//! What objects keep for the link: JSON texts, each with a zero behind it, in a section of their own.

use acc::{Entry, KernelSource, RoutineSource};
use serde_json::{Value, json};
use std::path::Path;

/// The section. Linkers leave it out of programs (`e`) and put those of several objects together.
const SECTION: &str = ".unspool.acc";
/// The form of the texts.
const VERSION: u64 = 4;

/// A function that regions of other files may call.
pub(super) type Routine = RoutineSource;

/// A region that calls functions of other files.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) source: KernelSource,
    /// GPUs that code is wanted for.
    pub(super) capabilities: Vec<u32>,
    /// It stands in an archive: it may not be needed.
    pub(super) of_archive: bool,
}

/// What the files of a link keep, in their order.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    pub(super) routines: Vec<Routine>,
    pub(super) regions: Vec<Region>,
}

/// The bytes of the section.
pub(super) fn write(routines: &[Routine], regions: &[Region]) -> Vec<u8> {
    let mut out = Vec::new();
    let routines = routines.iter().map(|r| {
        let (text, why) = (r.text.as_ref().ok(), r.text.as_ref().err());
        json!({ "unspool-acc": VERSION, "routine": r.name, "place": r.place, "text": text, "why": why, "externals": r.externals })
    });
    let regions = regions.iter().map(|r| {
        let s = &r.source;
        let entries: Vec<Value> = s
            .entries
            .iter()
            .map(|e| json!([e.name, e.wide, e.bases, e.line, e.local, e.block, e.team, e.by_columns, e.rows]))
            .collect();
        json!({ "unspool-acc": VERSION, "region": s.place, "text": s.text, "entries": entries, "externals": s.externals,
                "capabilities": r.capabilities })
    });
    for record in routines.chain(regions) {
        out.extend(record.to_string().into_bytes());
        out.push(0);
    }
    out
}

/// C that puts a file's bytes into the section.
pub(super) fn inclusion(file: &Path) -> String {
    let path = file.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
    let path = path.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\n__asm__(\".pushsection {SECTION},\\\"e\\\"\\n\\t.incbin \\\"{path}\\\"\\n\\t.popsection\");\n")
}

/// Adds what an object or archive keeps; other files keep nothing.
pub(super) fn read(path: &Path, out: &mut Found) {
    let Ok(bytes) = std::fs::read(path) else { return };
    if bytes.starts_with(ARCHIVE) {
        members(&bytes).for_each(|m| object(m, true, out));
    } else {
        object(&bytes, false, out);
    }
}

fn object(bytes: &[u8], of_archive: bool, out: &mut Found) {
    let Some(section) = section(bytes) else { return };
    for text in section.split(|&b| b == 0).filter(|t| !t.is_empty()) {
        let Ok(v) = serde_json::from_slice::<Value>(text) else { continue };
        if v["unspool-acc"].as_u64() == Some(VERSION) {
            record(&v, of_archive, out);
        }
    }
}

fn record(v: &Value, of_archive: bool, out: &mut Found) {
    let string = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    let number = |v: &Value| v.as_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
    let all = |v: &Value| v.as_array().cloned().unwrap_or_default();
    let externals = all(&v["externals"]).iter().map(string).collect();
    if let Some(name) = v["routine"].as_str() {
        let text = v["text"].as_str().map(str::to_owned).ok_or_else(|| string(&v["why"]));
        out.routines.push(Routine { name: name.to_owned(), place: string(&v["place"]), text, externals });
    } else if let Some(place) = v["region"].as_str() {
        let entry = |e: &Value| Entry {
            name: string(&e[0]),
            wide: e[1].as_bool().unwrap_or(false),
            bases: number(&e[2]),
            line: number(&e[3]),
            local: number(&e[4]).max(1),
            block: number(&e[5]).max(1),
            team: e[6].as_bool().unwrap_or(false),
            rows: number(&e[8]).max(1),
            by_columns: e[7].as_bool().unwrap_or(false),
        };
        let entries = all(&v["entries"]).iter().map(entry).collect();
        // The file that kept it has checked what its structures are.
        let (types, defined) = (String::new(), Vec::new());
        let source =
            KernelSource { text: string(&v["text"]), entries, externals, place: place.to_owned(), types, defined };
        let capabilities = all(&v["capabilities"]).iter().map(number).collect();
        out.regions.push(Region { source, capabilities, of_archive });
    }
}

/// What archives begin with.
const ARCHIVE: &[u8] = b"!<arch>\n";
/// Bytes of a member's header.
const HEADER: usize = 60;

/// The members of an archive.
fn members(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut at = ARCHIVE.len();
    std::iter::from_fn(move || {
        let header = bytes.get(at..at.checked_add(HEADER)?)?;
        let size: usize = std::str::from_utf8(&header[48..58]).ok()?.trim().parse().ok()?;
        let start = at + HEADER;
        let end = start.checked_add(size)?;
        at = end + end % 2;
        bytes.get(start..end)
    })
}

/// The section of an object file of 64 bits, in this machine's order of bytes.
fn section(bytes: &[u8]) -> Option<&[u8]> {
    let half = |at: usize| Some(usize::from(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?)));
    let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize);
    let long = |at: usize| usize::try_from(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?)).ok();
    // ELF, 64 bits, little-endian, relocatable.
    if !bytes.starts_with(b"\x7fELF\x02\x01") || half(16)? != 1 {
        return None;
    }
    let (table, size, count, names) = (long(40)?, half(58)?, half(60)?, half(62)?);
    let header = |n: usize| table.checked_add(n.checked_mul(size)?);
    let part = |at: usize| {
        let start = long(at.checked_add(24)?)?;
        bytes.get(start..start.checked_add(long(at.checked_add(32)?)?)?)
    };
    let strings = part(header(names)?)?;
    (0..count).find_map(|n| {
        let at = header(n)?;
        let name = strings.get(word(at)?..)?;
        (name.strip_prefix(SECTION.as_bytes())?.first() == Some(&0)).then(|| part(at))?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_files_keep_nothing() {
        let mut found = Found::default();
        let mut elf = b"\x7fELF\x02\x01".to_vec();
        elf.resize(64, 0xff);
        elf[16..18].copy_from_slice(&[1, 0]);
        object(&elf, false, &mut found);
        let mut archive = ARCHIVE.to_vec();
        archive.extend([b'9'; HEADER]);
        members(&archive).for_each(|m| object(m, true, &mut found));
        assert!(found.routines.is_empty() && found.regions.is_empty());
    }

    #[test]
    fn records_are_read_as_they_were_written() {
        let routine = Routine {
            name: "f".to_owned(),
            place: "a.c:1".to_owned(),
            text: Err("why \"not\"".to_owned()),
            externals: vec!["g".to_owned()],
        };
        let entries = vec![Entry {
            name: "k".to_owned(),
            wide: true,
            local: 16,
            bases: 2,
            line: 7,
            block: 256,
            rows: 8,
            team: true,
            by_columns: true,
        }];
        let source = KernelSource {
            text: "int x;\n".to_owned(),
            entries,
            externals: vec!["f".to_owned()],
            place: "b.c:2".to_owned(),
            types: String::new(),
            defined: Vec::new(),
        };
        let region = Region { source, capabilities: vec![75, 90], of_archive: false };
        let bytes = write(std::slice::from_ref(&routine), std::slice::from_ref(&region));
        let mut found = Found::default();
        for text in bytes.split(|&b| b == 0).filter(|t| !t.is_empty()) {
            record(&serde_json::from_slice(text).expect("a text"), true, &mut found);
        }
        assert_eq!(found.routines, [routine]);
        let r = &found.regions[0];
        assert!(r.of_archive && r.capabilities == [75, 90] && r.source.entries == region.source.entries);
        assert_eq!((&r.source.text, &r.source.place), (&region.source.text, &region.source.place));
    }
}
