use super::*;

fn key(n: u64) -> Hash {
    *blake3::hash(&n.to_le_bytes()).as_bytes()
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn files(root: &Path) -> Vec<PathBuf> {
    entries(root).iter().flat_map(|f| entries(f)).collect()
}

#[test]
fn what_was_put_is_there_for_others_too() {
    let dir = folder();
    let root = dir.path().join("deep/cache");
    let store = Store::open(root.clone(), 1 << 20).expect("ours");
    assert_eq!(store.get(&key(1)), None);
    store.put(&key(1), b"contents");
    assert_eq!(store.get(&key(1)).as_deref(), Some(&b"contents"[..]));
    store.put(&key(1), b"other contents");
    let other = Store::open(root, 1 << 20).expect("ours");
    assert_eq!(other.get(&key(1)).as_deref(), Some(&b"other contents"[..]));
    assert_eq!(other.get(&key(2)), None);
    other.remove(&key(1));
    assert_eq!(store.get(&key(1)), None);
}

#[test]
#[cfg(unix)]
fn entries_are_the_users_alone() {
    use std::os::unix::fs::PermissionsExt;
    let dir = folder();
    let root = dir.path().join("cache");
    let store = Store::open(root.clone(), 1 << 20).expect("ours");
    store.put(&key(1), b"contents");
    let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    let entry = store.path(&key(1));
    assert_eq!((mode(&root), mode(entry.parent().expect("a folder")), mode(&entry)), (0o700, 0o700, 0o600));
    // Others may write to it: what stands in it may be theirs.
    fs::set_permissions(&root, fs::Permissions::from_mode(0o777)).expect("ours");
    assert!(Store::open(root.clone(), 1 << 20).is_none());
    fs::set_permissions(&root, fs::Permissions::from_mode(0o755)).expect("ours");
    assert!(Store::open(root, 1 << 20).is_some());
    assert!(Store::open(entry, 1 << 20).is_none(), "no folder");
}

#[test]
fn damaged_entries_are_gone() {
    let dir = folder();
    let store = Store::open(dir.path().join("cache"), 1 << 20).expect("ours");
    store.put(&key(1), b"some contents");
    let path = store.path(&key(1));
    let whole = fs::read(&path).expect("it is there");
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        fs::write(&path, &changed).expect("ours");
        assert_eq!(store.get(&key(1)), None, "byte {at}");
        assert!(!path.exists(), "byte {at}");
        fs::write(&path, &whole[..at]).expect("ours");
        assert_eq!(store.get(&key(1)), None, "cut at {at}");
    }
    // An entry under another's name.
    fs::write(&path, &whole).expect("ours");
    let other = store.path(&key(2));
    fs::create_dir_all(other.parent().expect("a folder")).expect("ours");
    fs::copy(&path, &other).expect("ours");
    assert_eq!(store.get(&key(2)), None);
    assert!(store.get(&key(1)).is_some());
}

#[test]
fn what_was_not_used_for_longest_goes_first() {
    let dir = folder();
    let root = dir.path().join("cache");
    let unlimited = Store::open(root.clone(), u64::MAX).expect("ours");
    for n in 0..100 {
        unlimited.put(&key(n), &[0; 1000 - HEADER]);
    }
    assert_eq!(files(&root).len(), 100, "no sweep yet");
    let old = SystemTime::now() - Duration::from_secs(10_000);
    for n in 0..100 {
        let file = File::options().write(true).open(unlimited.path(&key(n))).expect("it is there");
        file.set_modified(old + Duration::from_secs(n)).expect("ours");
    }
    let stale = entries(&root)[0].join(".new-left");
    fs::write(&stale, b"half").expect("ours");
    File::options().write(true).open(&stale).expect("ours").set_modified(old).expect("ours");
    // Reading is using.
    assert!(unlimited.get(&key(3)).is_some());
    let limited = Store::open(root.clone(), 50_000).expect("ours");
    limited.sweep();
    assert!(!stale.exists());
    assert_eq!(files(&root).len(), 40, "four fifths of the limit");
    assert!(limited.get(&key(3)).is_some(), "used just now");
    assert!(limited.get(&key(0)).is_none() && limited.get(&key(60)).is_none() && limited.get(&key(61)).is_some());
}

#[test]
fn the_limit_holds_over_many_writes() {
    let dir = folder();
    let root = dir.path().join("cache");
    let store = Store::open(root.clone(), 100_000).expect("ours");
    let mut most = 0;
    for n in 0..1000 {
        store.put(&key(n), &[7; 1000]);
        if n % 50 == 49 {
            most = most.max(files(&root).iter().map(|f| fs::metadata(f).map_or(0, |d| d.len())).sum());
        }
    }
    assert!(most < 200_000, "{most}");
    store.put(&key(5000), &[7; 60_000]);
    assert_eq!(store.get(&key(5000)), None, "too large for this cache");
}

#[test]
fn nothing_is_written_where_nothing_may_be() {
    let dir = folder();
    let file = dir.path().join("file");
    fs::write(&file, b"").expect("ours");
    // Below a file there is no folder, not even for root.
    if let Some(store) = Store::open(file.join("cache"), 1 << 20) {
        store.put(&key(1), b"contents");
        assert_eq!(store.get(&key(1)), None);
    }
    assert!(Store::open(file, 1 << 20).is_none());
}
