# SPDX-License-Identifier: MIT
# All that says a version says the same, and tools/release-check refuses each kind of tree that is not ready.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Within a git hook, git would take the hook's repository for the one made here; nor is it to sign.
unset $(git rev-parse --local-env-vars)
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1

version=$(tools/release-check --agree | sed 's/^version //')
[ "$("$FILCH_BUILD/filch" --version)" = "filch $version" ]

# A tree that is ready; each step spoils it in one way.
ready() {
	rm -rf "$work/tree"
	mkdir -p "$work/tree/include/filch" "$work/tree/debian"
	cd "$work/tree"
	printf '#define FILCH_VERSION_MAJOR 1\n#define FILCH_VERSION_MINOR 2\n#define FILCH_VERSION_PATCH 3\n' \
		>include/filch/version.h
	echo 'project(filch VERSION 1.2.3 LANGUAGES C)' >CMakeLists.txt
	echo 'filch (1.2.3-1) unstable; urgency=medium' >debian/changelog
	printf '# Changelog\n\n## 1.2.3 - 2001-02-03\n\n- All.\n\n## 1.2.2 - 2001-01-01\n' >CHANGELOG.md
	git init -q
	git add -A
	commit
}
commit() { git -c user.name=x -c user.email=x commit -qam x; }
check=$PWD/tools/release-check

# refused PATTERN: the tree in its present state is refused for this reason.
refused() {
	if "$check" "$work/tree" >out 2>err || ! grep -q "$1" err; then
		echo "not refused: $1"
		cat err
		exit 1
	fi
	echo "refused: $1"
}

ready
"$check" . | grep -q 'ready: git tag -s v1.2.3'
git tag v1.2.3
"$check" . >"$work/out"
ready
echo x >new
refused 'not committed: new'
ready
sed -i 's/1\.2\.3-1/1.2.4-1/' debian/changelog
commit
refused 'CMakeLists.txt says version 1.2.3, debian/changelog says 1.2.4'
if "$check" --agree . 2>/dev/null; then exit 1; fi
ready
sed -i 's/PATCH 3/PATCH 2/' include/filch/version.h
commit
refused 'version.h says 1.2.2'
ready
sed -i 's/^## 1.2.3 .*/## Unreleased/' CHANGELOG.md
commit
refused 'still has a section "Unreleased"'
refused 'newest section of CHANGELOG.md is not that of 1.2.3'
"$check" --agree . >"$work/out" # as it is between releases
ready
sed -i 's/ - 2001-02-03//' CHANGELOG.md
commit
refused 'has no date'
ready
sed -i 's/^## 1.2.3/## 1.3.0/' CHANGELOG.md
commit
refused 'CHANGELOG.md has 1.3.0 already'
ready
git tag v1.2.3
echo >>CHANGELOG.md
commit
refused 'a tag v1.2.3 already, of another commit'
