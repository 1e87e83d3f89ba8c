//go:build !linux

package jail

import (
	"errors"
	"os"
	"runtime"
)

// Command is never called: see Here.
func (c *Cell) Command([]string, *os.File) (string, []string, []*os.File, error) {
	return "", nil, nil, errors.New("there is no jail on " + runtime.GOOS)
}

// Here says that there is no jail on this system.
func Here() Report {
	return Report{Lacks: []string{"everything but the time and what is written: there is no jail on " + runtime.GOOS}}
}
