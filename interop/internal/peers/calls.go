package peers

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Call runs a command that must succeed, and returns its output. It adds env to the environment.
func Call(t *testing.T, env []string, command string, args ...string) string {
	t.Helper()
	said, status := Try(t, env, command, args...)
	if status != 0 {
		t.Fatalf("%s %q: status %d\n%s", command, args, status, tail(said))
	}
	return said
}

// Try runs a command and returns its output and exit status.
func Try(t *testing.T, env []string, command string, args ...string) (said string, status int) {
	t.Helper()
	cmd := exec.Command(command, args...)
	cmd.Env = append(os.Environ(), env...)
	text, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatalf("%s: %v", cmd, err)
	}
	return string(text), cmd.ProcessState.ExitCode()
}

// tail shortens output to keep a failure readable.
func tail(said string) string {
	const most = 4000
	if len(said) <= most {
		return said
	}
	return "…" + said[len(said)-most:]
}

// Xmllint validates a METS with xmllint, offline, against all schemas of a driver.
func Xmllint(t *testing.T, schemas, driver, mets string) {
	t.Helper()
	catalog := "XML_CATALOG_FILES=" + filepath.Join(schemas, "catalog.xml")
	Call(t, []string{catalog}, "xmllint", "--nonet", "--noout", "--huge", "--schema",
		filepath.Join(schemas, "drivers", driver), mets)
}

// Sidecar checks the sidecar of a package with sha512sum (docs/reference/310_package-format.md,
// 1.2).
func Sidecar(t *testing.T, pkg string) {
	t.Helper()
	Call(t, nil, "sh", "-c", `cd "$1" && sha512sum --check --strict mets.xml.sha512`, "sh", pkg)
}

// Write writes a file, and makes its folder.
func Write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
