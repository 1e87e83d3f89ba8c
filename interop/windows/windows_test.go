//go:build interop

// Package windows runs quire.exe under Wine. It tests the features that must work on Windows, and
// the messages for those that do not.
package windows

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quire/interop/internal/peers"
)

// random replaces the library that Go programs use for random numbers, and that Wine 8 lacks.
const random = `#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) { return RtlGenRandom(data, (ULONG)size); }
`

const compiler = "x86_64-w64-mingw32-gcc"

func TestWindows(t *testing.T) {
	for _, program := range []string{"wine", compiler} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(program + " is not installed")
		}
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	env := []string{"HOME=" + home, "WINEPREFIX=" + filepath.Join(home, "wine"), "WINEDEBUG=-all",
		"WINEDLLOVERRIDES=mscoree,mshtml="}
	t.Cleanup(func() { _ = exec.Command("env", append(env, "wineserver", "-k", "-w")...).Run() }) // it holds the folder
	exe := filepath.Join(home, "quire.exe")
	peers.Call(t, []string{"GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0"}, "go", "build", "-C", root, "-trimpath",
		"-o", exe, "./cmd/quire")
	peers.Call(t, env, "wine", "wineboot", "--init")
	source := filepath.Join(home, "random.c")
	if err := os.WriteFile(source, []byte(random), 0o600); err != nil {
		t.Fatal(err)
	}
	system := filepath.Join(home, "wine", "drive_c", "windows", "system32", "bcryptprimitives.dll")
	if _, err := os.Stat(system); err != nil {
		peers.Call(t, nil, compiler, "-shared", "-o", system, source, "-ladvapi32")
	}

	t.Chdir(home)
	crawl := filepath.Join(root, "examples", "crawl")
	quire := func(status int, args ...string) string {
		t.Helper()
		said, got := peers.Try(t, env, "wine", append([]string{exe}, args...)...)
		if got != status {
			t.Errorf("quire %s: status %d: %s", strings.Join(args, " "), got, said)
		}
		return said
	}
	if said := quire(0, "inspect", crawl); !strings.Contains(said, "77: 38 request, 38 response, 1 warcinfo") {
		t.Error(said)
	}
	quire(0, "pack", crawl, "--out", `made\package`, "--id", "a")
	if said := quire(0, "validate", `made\package`); !strings.Contains(said, "valid") {
		t.Error(said)
	}
	quire(0, "convert", crawl, "--out", "converted")
	if said := quire(2, "init", "archive"); !strings.Contains(said, "repositories are not supported on Windows") {
		t.Error(said)
	}

	// A package made under Wine is valid here and has the same containers.
	ours := filepath.Join(root, "build", "quire")
	peers.Call(t, nil, ours, "validate", filepath.Join("made", "package"))
	peers.Call(t, nil, ours, "pack", crawl, "--out", "here", "--id", "a")
	peers.Call(t, nil, "diff", "-r", filepath.Join("here", "containers"),
		filepath.Join("made", "package", "containers"))
}
