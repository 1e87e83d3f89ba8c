package jail_test

import (
	"log"
	"os"
	"os/exec"

	"quire/internal/sandbox/jail"
)

func Example() {
	cell := jail.Cell{Dir: "folder", Program: "/usr/bin/file", Memory: 512 << 20}
	readEnd, writeEnd, err := os.Pipe()
	if err != nil {
		log.Fatal(err)
	}
	cmd := exec.Command("/usr/bin/file", "input")
	cmd.Path, cmd.Args, cmd.ExtraFiles, err = cell.Command(cmd.Args, writeEnd)
	if err != nil {
		log.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		log.Fatal(err)
	}
	if err := jail.Entered(readEnd); err != nil { // nil when the program runs, restricted
		log.Fatal(err)
	}
}
