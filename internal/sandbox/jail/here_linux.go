//go:build amd64 || arm64

package jail

import "fmt"

// Here reports which restrictions of a jail work on this machine.
func Here() (r Report) {
	a := abi()
	r.Landlock, r.Filter = a, filterWorks()
	say := func(holds bool, what, why string) {
		if holds {
			r.Holds = append(r.Holds, what)
		} else {
			r.Lacks = append(r.Lacks, what+": "+why)
		}
	}
	noLandlock := fmt.Sprintf("it wants landlock, version %d; this kernel has %d", 1, a)
	noFilter := "it wants a filter of system calls (seccomp), which this kernel does not take"
	say(true, "bounds on time, memory, files", "")
	say(a >= 1, "reads the system's folders and its own only", noLandlock)
	say(a >= abiTruncate, "writes in its own folder only",
		fmt.Sprintf("it wants landlock, version %d; this kernel has %d", abiTruncate, a))
	say(filterWorks(), "no access to the network, or to sockets of this machine", noFilter)
	say(filterWorks(), "all that it starts ends with it", noFilter)
	say(a >= abiScope, "no signals to other processes",
		fmt.Sprintf("it wants landlock, version %d; this kernel has %d", abiScope, a))
	say(filterWorks() && a >= 1, "no rights of root", "it wants both landlock and a filter of system calls")
	return r
}
