//! Source lines for debuggers and profilers: one subprogram per function, one location per instruction.

use super::ll::{Func, Ll};
use inkwell::llvm_sys::LLVMModuleFlagBehavior;
use inkwell::llvm_sys::core::{LLVMAddModuleFlag, LLVMValueAsMetadata};
use inkwell::llvm_sys::debuginfo::*;
use inkwell::llvm_sys::prelude::{LLVMDIBuilderRef, LLVMMetadataRef};
use ir::Function;
use rustc_hash::FxHashMap;
use source::{SourceMap, Span};
use std::cell::{Cell, RefCell};
use std::ptr;

/// LLVM's builder of debug information for a module.
pub(super) struct Debug<'a> {
    map: &'a SourceMap,
    builder: LLVMDIBuilderRef,
    unit: LLVMMetadataRef,
    /// Files by name as the user reads them.
    files: RefCell<FxHashMap<String, LLVMMetadataRef>>,
    /// The function that is being written: subprogram, its file's name, the place of code without one.
    scope: Cell<LLVMMetadataRef>,
    scope_file: RefCell<String>,
    fallback: Cell<(u32, u32)>,
    /// Scopes of the function in other files (headers).
    others: RefCell<FxHashMap<String, LLVMMetadataRef>>,
}

impl Drop for Debug<'_> {
    fn drop(&mut self) {
        // SAFETY: made in `new`, disposed of once.
        unsafe { LLVMDisposeDIBuilder(self.builder) }
    }
}

impl<'a> Debug<'a> {
    pub(super) fn new(ll: &Ll<'_>, map: &'a SourceMap, name: &str) -> Self {
        // SAFETY: the module is alive; LLVM copies the texts.
        unsafe {
            let builder = LLVMCreateDIBuilder(ll.module);
            let file = create_file(builder, name);
            let producer = "unspool";
            let unit = LLVMDIBuilderCreateCompileUnit(
                builder,
                LLVMDWARFSourceLanguage::LLVMDWARFSourceLanguageC99,
                file,
                producer.as_ptr().cast(),
                producer.len(),
                1,
                ptr::null(),
                0,
                0,
                ptr::null(),
                0,
                LLVMDWARFEmissionKind::LLVMDWARFEmissionKindLineTablesOnly,
                0,
                0,
                0,
                ptr::null(),
                0,
                ptr::null(),
                0,
            );
            for (key, value) in [("Debug Info Version", LLVMDebugMetadataVersion()), ("Dwarf Version", 4)] {
                LLVMAddModuleFlag(
                    ll.module,
                    LLVMModuleFlagBehavior::LLVMModuleFlagBehaviorWarning,
                    key.as_ptr().cast(),
                    key.len(),
                    LLVMValueAsMetadata(ll.iconst(32, 1, value.into()).0),
                );
            }
            Self {
                map,
                builder,
                unit,
                files: RefCell::new(FxHashMap::from_iter([(name.to_owned(), file)])),
                scope: Cell::new(ptr::null_mut()),
                scope_file: RefCell::default(),
                fallback: Cell::new((0, 0)),
                others: RefCell::default(),
            }
        }
    }

    fn file(&self, name: &str) -> LLVMMetadataRef {
        // SAFETY: the builder is alive.
        *self.files.borrow_mut().entry(name.to_owned()).or_insert_with(|| unsafe { create_file(self.builder, name) })
    }

    /// File, line and column that a span begins at, outside of macros.
    fn place(&self, span: Span) -> Option<(&'a str, u32, u32)> {
        if span.is_none() {
            return None;
        }
        let (name, at) = self.map.presumed(self.map.call_site(span).lo)?;
        Some((name, at.line, at.col))
    }

    /// Begins a function.
    pub(super) fn enter(&self, ll: &Ll<'_>, func: Func, f: &Function) {
        let (file, line, column) = self.place(f.span).unwrap_or(("", 0, 0));
        self.scope_file.replace(file.to_owned());
        self.others.borrow_mut().clear();
        self.fallback.set((line, column));
        let file = if file.is_empty() { self.file("<built-in>") } else { self.file(file) };
        // SAFETY: the builder is alive; LLVM copies the texts.
        unsafe {
            let ty = LLVMDIBuilderCreateSubroutineType(self.builder, file, ptr::null_mut(), 0, 0);
            let subprogram = LLVMDIBuilderCreateFunction(
                self.builder,
                self.unit,
                f.display.as_ptr().cast(),
                f.display.len(),
                f.name.as_ptr().cast(),
                f.name.len(),
                file,
                line,
                ty,
                0,
                1,
                line,
                0,
                1,
            );
            LLVMSetSubprogram(func.value.0, subprogram);
            self.scope.set(subprogram);
        }
        self.at(ll, Span::NONE);
    }

    /// The instructions that follow come from here.
    pub(super) fn at(&self, ll: &Ll<'_>, span: Span) {
        let (line, column) = self.fallback.get();
        let place = self.place(span);
        let (line, column) = place.map_or((line, column), |(_, l, c)| (l, c));
        let scope = match place {
            Some((file, ..)) if *self.scope_file.borrow() != file => self.other(file),
            _ => self.scope.get(),
        };
        // SAFETY: scope and context are the module's.
        ll.set_location(unsafe { LLVMDIBuilderCreateDebugLocation(ll.context, line, column, scope, ptr::null_mut()) });
    }

    /// The function's scope in another file.
    fn other(&self, file: &str) -> LLVMMetadataRef {
        if let Some(&scope) = self.others.borrow().get(file) {
            return scope;
        }
        let node = self.file(file);
        // SAFETY: the builder is alive, scope and file are its.
        let scope = unsafe { LLVMDIBuilderCreateLexicalBlockFile(self.builder, self.scope.get(), node, 0) };
        self.others.borrow_mut().insert(file.to_owned(), scope);
        scope
    }

    /// Ends a function.
    pub(super) fn leave(&self, ll: &Ll<'_>) {
        ll.set_location(ptr::null_mut());
    }

    /// Completes what was deferred.
    pub(super) fn finish(&self) {
        // SAFETY: the builder is alive.
        unsafe { LLVMDIBuilderFinalize(self.builder) };
    }
}

/// # Safety
/// The builder is alive.
unsafe fn create_file(builder: LLVMDIBuilderRef, name: &str) -> LLVMMetadataRef {
    let (directory, base) = name.rsplit_once('/').unwrap_or(("", name));
    // LLVM takes no file without a name.
    let base = if base.is_empty() { "<unknown>" } else { base };
    // SAFETY: the caller's promise; LLVM copies the texts.
    unsafe {
        LLVMDIBuilderCreateFile(builder, base.as_ptr().cast(), base.len(), directory.as_ptr().cast(), directory.len())
    }
}
