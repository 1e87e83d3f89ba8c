//go:build interop

// Package release builds the files of a release for Linux on amd64, and uses them as a user does: the
// Debian package in a bare Debian, the image by its own settings, lists and checksums by tools of
// others.
package release

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quire/interop/internal/peers"
)

// dist returns the folder with the files of the release. QUIRE_DIST names one that was made before.
func dist(t *testing.T) string {
	t.Helper()
	if made := os.Getenv("QUIRE_DIST"); made != "" {
		return made
	}
	peers.Call(t, nil, "bash", filepath.Join(root(t), "release", "make"), "short")
	return filepath.Join(root(t), "dist")
}

func root(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// one returns the one file of this pattern.
func one(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %q, %v", pattern, found, err)
	}
	return found[0]
}

// needs skips a test if a tool is missing, or if the account is not root.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("this test changes into other root file systems, for which it must be root")
	}
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			absent(t, program+" is not installed")
		}
	}
}

// absent skips a test. In CI, which installs every tool, it fails the test.
func absent(t *testing.T, reason string) {
	t.Helper()
	if os.Getenv("QUIRE_SHARED_REQUIRED") == "1" {
		t.Fatal(reason)
	}
	t.Skip(reason)
}

func TestRelease(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("go is not installed")
	}
	dist := dist(t)
	t.Run("checksums", func(t *testing.T) { checksums(t, dist) })
	t.Run("modules", func(t *testing.T) { modules(t, dist) })
	t.Run("archive", func(t *testing.T) { archive(t, dist) })
	t.Run("rpm", func(t *testing.T) { rpm(t, dist) })
	t.Run("deb", func(t *testing.T) { deb(t, dist) })
	t.Run("image", func(t *testing.T) { image(t, dist) })
}

// checksums has sha256sum check all files of the release, and looks for one that is not listed.
func checksums(t *testing.T, dist string) {
	t.Chdir(dist)
	peers.Call(t, nil, "sha256sum", "--check", "--strict", "SHA256SUMS")
	list, err := os.ReadFile("SHA256SUMS")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(`quire[_\-]*.*`)
	if err != nil || len(files) < 6 {
		t.Fatalf("%q %v", files, err)
	}
	for _, file := range files {
		if strings.Count(string(list), "  "+file+"\n") != 1 {
			t.Errorf("%s has no checksum, or many:\n%s", file, list)
		}
	}
}

// archive unpacks the archive and compares its program with the program that was built.
func archive(t *testing.T, dist string) {
	folder := t.TempDir()
	peers.Call(t, nil, "tar", "-xzf", one(t, filepath.Join(dist, "quire_*_linux_amd64.tar.gz")), "-C", folder)
	there := one(t, filepath.Join(folder, "*"))
	peers.Call(t, nil, "cmp", filepath.Join(there, "quire"), binary(t, dist))
	for _, name := range []string{"LICENSE", "third-party-licences.txt", "man/quire.1.gz", "completions/quire.fish",
		"systemd/quire-serve.service"} {
		if info, err := os.Stat(filepath.Join(there, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// binary returns the path of the program that was built.
func binary(t *testing.T, dist string) string {
	return one(t, filepath.Join(dist, "quire_linux_amd64*", "quire"))
}

// rpm installs the RPM package into an empty folder. Its scripts need a system around them.
func rpm(t *testing.T, dist string) {
	needs(t, "rpm")
	folder := t.TempDir()
	file := one(t, filepath.Join(dist, "quire-*.x86_64.rpm"))
	peers.Call(t, nil, "rpm", "--root", folder, "--install", "--nodeps", "--noscripts", "--nosignature", file)
	peers.Call(t, nil, "cmp", filepath.Join(folder, "usr/bin/quire"), binary(t, dist))
	for _, name := range []string{"usr/share/zsh/site-functions/_quire", "usr/share/man/man1/quire-serve.1.gz",
		"etc/quire/serve.yaml", "usr/lib/systemd/system/quire-audit.timer"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			t.Error(err)
		}
	}
	scripts := peers.Call(t, nil, "rpm", "--query", "--package", "--scripts", "--nosignature", file)
	for _, want := range []string{"postinstall scriptlet", "useradd --system", "preuninstall scriptlet"} {
		if !strings.Contains(scripts, want) {
			t.Errorf("no %q in\n%s", want, scripts)
		}
	}
}
