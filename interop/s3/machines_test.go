//go:build interop && linux

package s3

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	"quire/internal/pgtest"
)

// inNetwork is set in the process that runs a test in a network of its own.
const inNetwork = "QUIRE_TEST_NETWORK"

// bridge is the address of the servers on that network. Each machine has a later address.
const bridge = "10.77.0.1"

// network is a bridge in a network namespace, in which the test and its servers are. Machines are namespaces that
// only this bridge connects. All of it ends with the processes in it.
type network struct {
	t        *testing.T
	machines int // made so far
}

// onMachines runs the test again, in a network of its own. It returns nil there, and done in the first process. If
// the system allows no network namespaces, both are nil, and the test runs without.
func onMachines(t *testing.T) (n *network, done bool) {
	t.Helper()
	if os.Getenv(inNetwork) != "" {
		n := &network{t: t}
		n.run("ip", "link", "set", "lo", "up")
		n.run("ip", "link", "add", "hub", "type", "bridge")
		n.run("ip", "addr", "add", bridge+"/24", "dev", "hub")
		n.run("ip", "link", "set", "hub", "up")
		host = bridge
		pgtest.Listen(bridge, "10.77.0.0/24")
		return n, false
	}
	if reason := withoutNetworks(); reason != "" {
		t.Logf("the workers share one network: %s", reason)
		return nil, false
	}
	args := slices.DeleteFunc(slices.Clone(os.Args[1:]), func(arg string) bool { // files that this process writes
		return strings.HasPrefix(arg, "-test.testlogfile") || strings.HasPrefix(arg, "-test.coverprofile")
	})
	again := exec.Command("/proc/self/exe", append(args, "-test.run", "^"+t.Name()+"$", "-test.v")...)
	again.Env = append(os.Environ(), inNetwork+"=1")
	again.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET, Pdeathsig: syscall.SIGTERM}
	out, err := again.CombinedOutput()
	t.Logf("in a network of its own:\n%s", out)
	if err != nil {
		t.Error(err)
	}
	return nil, true
}

// withoutNetworks returns the reason why the system has no network namespaces for tests, or "".
func withoutNetworks() string {
	for _, tool := range []string{"ip", "nsenter", "unshare"} {
		if _, err := exec.LookPath(tool); err != nil {
			return err.Error()
		}
	}
	out, err := exec.Command("unshare", "--net", "sh", "-ec",
		"ip link add name hub type bridge; ip link add name one type veth peer name two").CombinedOutput()
	if err != nil {
		return fmt.Sprintf("%v: %s", err, out)
	}
	return ""
}

func (n *network) run(program string, args ...string) {
	n.t.Helper()
	if out, err := exec.Command(program, args...).CombinedOutput(); err != nil {
		n.t.Fatalf("%s %q: %v: %s", program, args, err, out)
	}
}

// machine is a network namespace. A process without work holds it.
type machine struct {
	*network
	number int
	holder *exec.Cmd
}

// machine returns a new machine with an address of its own.
func (n *network) machine() *machine {
	n.t.Helper()
	n.machines++
	m := &machine{network: n, number: n.machines, holder: exec.Command("sleep", "infinity")}
	m.holder.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL}
	if err := m.holder.Start(); err != nil {
		n.t.Fatal(err)
	}
	n.t.Cleanup(m.gone)
	n.run("ip", "link", "add", m.cable(), "type", "veth", "peer", "name", "eth0", "netns",
		fmt.Sprint(m.holder.Process.Pid))
	n.run("ip", "link", "set", m.cable(), "master", "hub", "up")
	for _, args := range [][]string{{"link", "set", "lo", "up"}, {"link", "set", "eth0", "up"},
		{"addr", "add", fmt.Sprintf("10.77.0.%d/24", 2+m.number%250), "dev", "eth0"}} {
		n.run("nsenter", append([]string{m.namespace(), "ip"}, args...)...)
	}
	return m
}

func (m *machine) cable() string { return fmt.Sprint("cable", m.number) }
func (m *machine) namespace() string {
	return fmt.Sprintf("--net=/proc/%d/ns/net", m.holder.Process.Pid)
}

// on moves a command to the machine before it starts.
func (m *machine) on(cmd *exec.Cmd) {
	cmd.Args = append([]string{"nsenter", m.namespace(), cmd.Path}, cmd.Args[1:]...)
	cmd.Path = "/usr/bin/nsenter"
}

// unplug takes the machine off the network; plug connects it again.
func (m *machine) unplug() { m.run("ip", "link", "set", m.cable(), "down") }
func (m *machine) plug()   { m.run("ip", "link", "set", m.cable(), "up") }

// gone ends the machine: its namespace ends with its last process.
func (m *machine) gone() {
	_ = m.holder.Process.Kill() // it may have ended
	_ = m.holder.Wait()         // a killed process has no useful status
}
