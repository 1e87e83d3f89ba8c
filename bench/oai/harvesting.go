package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// harvestCost is the cost of harvesting everything.
type harvestCost struct {
	Who     string
	Clock   time.Duration
	CPU     time.Duration
	Memory  int64 // peak memory in bytes
	Written int64 // bytes written
}

// measureHarvesting compares quire's harvester with metha, if installed. Both harvest the whole
// site as oai_didl, in turns.
func measureHarvesting(o options, folder string) ([]harvestCost, error) {
	list := []harvestCost{{Who: "quire oai harvest --as warc"}}
	if o.metha != "" {
		list = append(list, harvestCost{Who: "metha-sync"})
	}
	s, err := start(o, folder, noTools)
	if err != nil {
		return nil, err
	}
	for range o.rounds {
		for i := range list {
			out, err := os.MkdirTemp(o.work, "harvest-")
			if err != nil {
				return nil, errors.Join(err, s.stop())
			}
			cmd := exec.Command(o.quire, "oai", "harvest", s.base, "--prefix", "oai_didl", "--out",
				filepath.Join(out, "h"), "--as", "warc") //nolint:gosec // our own program
			if i == 1 {
				cmd = exec.Command(o.metha, "-base-dir", out, "-no-intervals", "-until", "2100-01-01", "-format",
					"oai_didl", s.base) //nolint:gosec // that of the caller
			}
			if err := list[i].better(cmd, out); err != nil {
				return nil, errors.Join(err, s.stop())
			}
			progress("harvesting: %s, %v", list[i].Who, list[i].Clock)
		}
	}
	return list, s.stop()
}

// better runs a harvester and keeps the figures if it was faster.
func (h *harvestCost) better(cmd *exec.Cmd, out string) error {
	begun := time.Now()
	said, err := cmd.CombinedOutput()
	took := time.Since(begun)
	if err != nil {
		return fmt.Errorf("%s: %w: %s", cmd, err, said)
	}
	size, err := sizeOf(out)
	if err := errors.Join(err, os.RemoveAll(out)); err != nil {
		return err
	}
	if h.Clock == 0 || took < h.Clock {
		used, _ := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		h.Clock, h.CPU, h.Memory, h.Written = took, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime(),
			used.Maxrss<<10, size
	}
	return nil
}

func sizeOf(folder string) (sum int64, err error) {
	err = filepath.WalkDir(folder, func(_ string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			sum += info.Size()
		}
		return err
	})
	return sum, err
}
