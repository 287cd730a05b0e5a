//! Which directives and clauses there are, and which clause may stand on which directive.

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $words:literal, [$($clause:ident)*];)*) => {
        /// A directive.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Kind { $($(#[$doc])* $name,)* }

        impl Kind {
            /// Every directive, longer names before their beginnings.
            pub(crate) const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Its words.
            pub const fn words(self) -> &'static str {
                match self { $(Self::$name => $words,)* }
            }

            /// The clauses that it takes.
            pub const fn clauses(self) -> &'static [ClauseKind] {
                use ClauseKind::*;
                match self { $(Self::$name => &[$($clause,)*],)* }
            }

            /// Whether it is about the loop on which it stands: a loop's own directive, or one together with a construct.
            pub const fn is_of_loop(self) -> bool {
                matches!(
                    self,
                    Self::Loop | Self::For | Self::ParallelLoop | Self::KernelsLoop | Self::SerialLoop | Self::RegionFor
                )
            }
        }
    };
}

kinds! {
    /// `parallel loop`
    ParallelLoop = "parallel loop", [If SelfClause Async Wait NumGangs NumWorkers VectorLength DeviceType Reduction Private Firstprivate Default Copy Copyin Copyout Create NoCreate Present Deviceptr Attach Gang Worker Vector Seq Auto Independent Tile Collapse];
    /// `kernels loop`
    KernelsLoop = "kernels loop", [If SelfClause Async Wait NumGangs NumWorkers VectorLength DeviceType Reduction Private Firstprivate Default Copy Copyin Copyout Create NoCreate Present Deviceptr Attach Gang Worker Vector Seq Auto Independent Tile Collapse];
    /// `serial loop`
    SerialLoop = "serial loop", [If SelfClause Async Wait DeviceType Reduction Private Firstprivate Default Copy Copyin Copyout Create NoCreate Present Deviceptr Attach Gang Worker Vector Seq Auto Independent Tile Collapse];
    /// `parallel`
    Parallel = "parallel", [If SelfClause Async Wait NumGangs NumWorkers VectorLength DeviceType Reduction Private Firstprivate Default Copy Copyin Copyout Create NoCreate Present Deviceptr Attach];
    /// `kernels`
    Kernels = "kernels", [If SelfClause Async Wait NumGangs NumWorkers VectorLength DeviceType Default Copy Copyin Copyout Create NoCreate Present Deviceptr Attach];
    /// `serial`
    Serial = "serial", [If SelfClause Async Wait DeviceType Reduction Private Firstprivate Default Copy Copyin Copyout Create NoCreate Present Deviceptr Attach];
    /// PGI's `region for`
    RegionFor = "region for", [If Copy Copyin Copyout Local Mirror UpdateIn UpdateOut Deviceptr Host Parallel Vector Seq Unroll Independent Kernel Private Cache Shortloop];
    /// PGI's `data region`
    DataRegion = "data region", [If Copy Copyin Copyout Local Mirror UpdateIn UpdateOut Deviceptr];
    /// PGI's `region`
    Region = "region", [If Copy Copyin Copyout Local Mirror UpdateIn UpdateOut Deviceptr Async];
    /// PGI's `for`
    For = "for", [Host Parallel Vector Seq Unroll Independent Kernel Private Cache Shortloop];
    /// `enter data`
    EnterData = "enter data", [If Async Wait Copyin Create Attach];
    /// `exit data`
    ExitData = "exit data", [If Async Wait Copyout Delete Detach Finalize];
    /// `data`
    Data = "data", [If Async Wait DeviceType Copy Copyin Copyout Create NoCreate Present Deviceptr Attach Default Local Mirror];
    /// `host_data`
    HostData = "host_data", [If IfPresent UseDevice];
    /// `loop`
    Loop = "loop", [Collapse Gang Worker Vector Seq Auto Independent Tile DeviceType Private Reduction];
    /// `cache`
    CacheDirective = "cache", [];
    /// `atomic`
    Atomic = "atomic", [Read Write Update Capture If];
    /// `declare`
    Declare = "declare", [Copy Copyin Copyout Create Present Deviceptr DeviceResident Link Mirror Reflected Local];
    /// `init`
    Init = "init", [If DeviceType DeviceNum];
    /// `shutdown`
    Shutdown = "shutdown", [If DeviceType DeviceNum];
    /// `set`
    Set = "set", [If DeviceType DeviceNum DefaultAsync];
    /// `update`
    Update = "update", [If IfPresent Async Wait DeviceType SelfClause Host Device UpdateIn UpdateOut];
    /// `wait`
    Wait = "wait", [If Async];
    /// `routine`
    Routine = "routine", [Gang Worker Vector Seq DeviceType Bind Nohost];
}

/// What stands in a clause's parentheses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// Nothing, and no parentheses.
    None,
    /// An expression.
    Expr,
    /// An expression, or nothing.
    MaybeExpr,
    /// Expressions.
    Exprs,
    /// Expressions, or nothing.
    MaybeExprs,
    /// Variables.
    Vars,
    /// An operator, a colon and variables.
    Reduction,
    /// Names.
    Words,
    /// An expression, or variables (`self`).
    ExprOrVars,
}

macro_rules! clauses {
    ($($(#[$doc:meta])* $name:ident = [$($word:literal)*], $shape:ident, $many:literal;)*) => {
        /// A clause.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum ClauseKind { $($(#[$doc])* $name,)* }

        impl ClauseKind {
            /// Every spelling with its clause.
            pub(crate) const WORDS: &'static [(&'static str, Self)] = &[$($(($word, Self::$name),)*)*];

            /// What its parentheses hold.
            pub(crate) const fn shape(self) -> Shape {
                match self { $(Self::$name => Shape::$shape,)* }
            }

            /// Whether it may stand several times on a directive.
            pub(crate) const fn repeats(self) -> bool {
                match self { $(Self::$name => $many,)* }
            }

            /// Its name.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$name => clauses!(@first $($word)*),)* }
            }
        }
    };
    (@first $word:literal $($more:literal)*) => { $word };
}

clauses! {
    /// `if(condition)`
    If = ["if"], Expr, false;
    /// `self`, `self(condition)`; on `update` a list of variables
    SelfClause = ["self"], ExprOrVars, true;
    /// `async`, `async(queue)`
    Async = ["async"], MaybeExpr, false;
    /// `wait`, `wait(queues)`
    Wait = ["wait"], MaybeExprs, true;
    /// `num_gangs(n)`
    NumGangs = ["num_gangs"], Exprs, false;
    /// `num_workers(n)`
    NumWorkers = ["num_workers"], Expr, false;
    /// `vector_length(n)`
    VectorLength = ["vector_length"], Expr, false;
    /// `gang`, `gang(n)`
    Gang = ["gang"], MaybeExprs, true;
    /// `worker`, `worker(n)`
    Worker = ["worker"], MaybeExpr, false;
    /// `vector`, `vector(n)`
    Vector = ["vector"], MaybeExpr, false;
    /// `seq`; PGI's `seq(n)`
    Seq = ["seq"], MaybeExpr, false;
    /// `auto`
    Auto = ["auto"], None, false;
    /// `independent`
    Independent = ["independent"], None, false;
    /// `tile(sizes)`
    Tile = ["tile"], Exprs, false;
    /// `collapse(n)`
    Collapse = ["collapse"], Expr, false;
    /// `device_type(types)`: the clauses behind it are for these devices
    DeviceType = ["device_type" "dtype"], Words, true;
    /// `reduction(operator: variables)`
    Reduction = ["reduction"], Reduction, true;
    /// `private(variables)`
    Private = ["private"], Vars, true;
    /// `firstprivate(variables)`
    Firstprivate = ["firstprivate"], Vars, true;
    /// `default(none)`, `default(present)`
    Default = ["default"], Words, false;
    /// `copy(variables)`
    Copy = ["copy" "pcopy" "present_or_copy"], Vars, true;
    /// `copyin(variables)`
    Copyin = ["copyin" "pcopyin" "present_or_copyin"], Vars, true;
    /// `copyout(variables)`
    Copyout = ["copyout" "pcopyout" "present_or_copyout"], Vars, true;
    /// `create(variables)`
    Create = ["create" "pcreate" "present_or_create"], Vars, true;
    /// `no_create(variables)`
    NoCreate = ["no_create"], Vars, true;
    /// `present(variables)`
    Present = ["present"], Vars, true;
    /// `deviceptr(pointers)`
    Deviceptr = ["deviceptr"], Vars, true;
    /// `attach(pointers)`
    Attach = ["attach"], Vars, true;
    /// `detach(pointers)`
    Detach = ["detach"], Vars, true;
    /// `delete(variables)`
    Delete = ["delete"], Vars, true;
    /// `finalize`
    Finalize = ["finalize"], None, false;
    /// `use_device(variables)`
    UseDevice = ["use_device"], Vars, true;
    /// `if_present`
    IfPresent = ["if_present"], None, false;
    /// `host(variables)` of `update`; PGI's `host(n)` of `for`
    Host = ["host"], Vars, true;
    /// `device(variables)` of `update`
    Device = ["device"], Vars, true;
    /// `device_resident(variables)`
    DeviceResident = ["device_resident"], Vars, true;
    /// `link(variables)`
    Link = ["link"], Vars, true;
    /// `bind(name)`
    Bind = ["bind"], Words, false;
    /// `nohost`
    Nohost = ["nohost"], None, false;
    /// `device_num(n)`
    DeviceNum = ["device_num"], Expr, false;
    /// `default_async(queue)`
    DefaultAsync = ["default_async"], Expr, false;
    /// `read`
    Read = ["read"], None, false;
    /// `write`
    Write = ["write"], None, false;
    /// `update`
    Update = ["update"], None, false;
    /// `capture`
    Capture = ["capture"], None, false;
    /// PGI's `local(variables)`
    Local = ["local"], Vars, true;
    /// PGI's `mirror(variables)`
    Mirror = ["mirror"], Vars, true;
    /// PGI's `reflected(variables)`
    Reflected = ["reflected"], Vars, true;
    /// PGI's `updatein(variables)`
    UpdateIn = ["updatein"], Vars, true;
    /// PGI's `updateout(variables)`
    UpdateOut = ["updateout"], Vars, true;
    /// PGI's `parallel`, `parallel(n)`
    Parallel = ["parallel"], MaybeExpr, false;
    /// PGI's `unroll(n)`
    Unroll = ["unroll"], MaybeExpr, false;
    /// PGI's `kernel`
    Kernel = ["kernel"], None, false;
    /// PGI's `cache(variables)`
    Cache = ["cache"], Vars, true;
    /// PGI's `shortloop`
    Shortloop = ["shortloop"], None, false;
}
