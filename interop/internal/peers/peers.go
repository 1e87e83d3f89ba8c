// Package peers runs independent tools. It gets their verdicts on containers, or the output of
// drivers in their own language. interop/run installs the tools in build/interop.
package peers

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/testsamples"
)

// Tools returns the folder where interop/run installs the peers.
func Tools(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(root(), "build", "interop")
	if _, err := os.Stat(dir); err != nil {
		t.Fatalf("the peers are not installed; run them with `bash interop/run`: %v", err)
	}
	return dir
}

// Quire returns the path of the program that interop/run builds.
func Quire(t *testing.T) string {
	t.Helper()
	program := filepath.Join(root(), "build", "quire")
	if _, err := os.Stat(program); err != nil {
		t.Fatalf("quire is not built; run `make build`: %v", err)
	}
	return program
}

// root returns the project's folder.
func root() string { return testsamples.Root() }

// here returns the folder of this package, which holds its drivers.
func here() string { return filepath.Join(root(), "interop", "internal", "peers") }

// Python runs a driver in the environment of the Python peers with lines on standard input, and
// returns its output.
func Python(t *testing.T, driver string, lines []string) string {
	t.Helper()
	return run(t, lines, filepath.Join(Tools(t), "venv", "bin", "python"), driver)
}

// Java compiles drivers against the jars of a folder below build/interop, and runs the class of the
// first.
func Java(t *testing.T, jars string, lines []string, drivers ...string) string {
	t.Helper()
	classes := t.TempDir()
	path := filepath.Join(Tools(t), jars, "*")
	args := append([]string{"-d", classes, "-cp", path}, drivers...)
	if said, err := exec.Command("javac", args...).CombinedOutput(); err != nil {
		t.Fatalf("javac %s: %v\n%s", strings.Join(drivers, " "), err, said)
	}
	class := strings.TrimSuffix(filepath.Base(drivers[0]), ".java")
	return run(t, lines, "java", "-cp", classes+string(os.PathListSeparator)+path, class)
}

func run(t *testing.T, lines []string, command string, args ...string) string {
	t.Helper()
	cmd := exec.Command(command, args...)
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	answer, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, complaint.String())
	}
	return string(answer)
}
