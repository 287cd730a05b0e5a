# Sourced by other scripts: the virtual environment `.venv`, in which NVIDIA's tools from PyPI live.

note() { printf '%s\n' "$*" >&2; }

# Runs apt-get if this machine has it and lets us; says so and fails otherwise.
apt_install() {
    if ! command -v apt-get >/dev/null 2>&1; then
        note "no apt-get here: install $* by hand"
        return 1
    fi
    local sudo=""
    if [ "$(id -u)" != 0 ]; then
        if ! command -v sudo >/dev/null 2>&1 || ! sudo -n true 2>/dev/null; then
            note "not root and no sudo without a password: install $* by hand"
            return 1
        fi
        sudo="sudo -n"
    fi
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -yqq "$@" >/dev/null 2>&1 && return 0
    $sudo apt-get update -qq >/dev/null 2>&1
    if ! $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -yqq "$@" >/dev/null 2>&1; then
        note "apt-get could not install $*"
        return 1
    fi
}

# Makes LLVM 19 and what its library links with available to the build, if this machine can have them.
ensure_llvm() {
    has_llvm && return 0
    # g++ brings the C++ library that LLVM is linked with.
    apt_install llvm-19-dev libpolly-19-dev zlib1g-dev libzstd-dev g++ && has_llvm
}

# Whether LLVM 19 is where the build looks for it.
has_llvm() {
    printf 'int main(void) { return 0; }' | cc -x c - -o /dev/null -lstdc++ -lffi 2>/dev/null || return 1
    if [ -n "${LLVM_SYS_191_PREFIX:-}" ]; then
        [ -x "$LLVM_SYS_191_PREFIX/bin/llvm-config" ]
        return
    fi
    local config
    for config in llvm-config-19 llvm-config; do
        case "$(command -v "$config" >/dev/null 2>&1 && "$config" --version 2>/dev/null)" in
            19.*) return 0 ;;
        esac
    done
    return 1
}

# Whether the loader finds a shared library.
has_library() {
    # All of the list is read: under `pipefail` a pipe that is closed early counts as a failure.
    [ -n "$({ ldconfig -p || /sbin/ldconfig -p; } 2>/dev/null | grep "^[[:space:]]*$1 ")" ]
}

# Makes .venv if it is not there.
ensure_venv() {
    .venv/bin/python -m pip --version >/dev/null 2>&1 && return 0
    if ! command -v python3 >/dev/null 2>&1 || ! python3 -c 'import ensurepip, venv' >/dev/null 2>&1; then
        apt_install python3 python3-venv || return 1
    fi
    rm -rf .venv
    python3 -m venv .venv || { note "python3 -m venv failed"; return 1; }
}

# Installs packages, as pinned in scripts/peers.txt, into .venv.
venv_install() {
    ensure_venv || return 1
    local pinned=() name
    for name in "$@"; do
        pinned+=("$(grep "^$name==" scripts/peers.txt)")
    done
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps "${pinned[@]}" >&2
}

# Prints where a tool of NVIDIA's is: `nvidia_tool ptxas`.
nvidia_tool() {
    local found
    for found in .venv/lib/python3*/site-packages/nvidia/cu13/bin/"$1"; do
        [ -x "$found" ] && { printf '%s/%s\n' "$PWD" "$found"; return 0; }
    done
    return 1
}
