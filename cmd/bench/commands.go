package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"storefront/cmd/bench/figures"
	"storefront/cmd/bench/reference"
)

// The references are this program too, in processes of their own, and so is the service without a network.
const (
	memoryCommand  = "reference-from-memory"
	handCommand    = "reference-by-hand"
	handlerCommand = "handler"
	tablesCommand  = "tables" // prints a file of figures
)

func runCommand(ctx context.Context, args []string) error {
	switch {
	case args[0] == memoryCommand && len(args) == 2:
		h, err := reference.Memory(args[1])
		return serve(ctx, h, err)
	case args[0] == handCommand && len(args) == 1:
		h, err := reference.NewHand(os.Getenv("DATABASE_URL"), os.Getenv("TOKEN_SIGNING_KEY"))
		if err != nil {
			return err
		}
		return serve(ctx, h.Handler(), nil)
	case args[0] == handlerCommand && len(args) > 2:
		return printCosts(ctx, os.Getenv("DATABASE_URL"), args[1], args[2:])
	case args[0] == tablesCommand && len(args) == 2:
		file, err := figures.Read(args[1])
		if err != nil {
			return err
		}
		return file.Markdown(os.Stdout)
	}
	return fmt.Errorf("there are no arguments %q", args)
}

func serve(ctx context.Context, h http.Handler, err error) error {
	if err != nil {
		return err
	}
	return reference.Serve(ctx, h)
}
