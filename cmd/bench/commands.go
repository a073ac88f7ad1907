package main

import (
	"context"
	"fmt"
	"os"

	"storefront/cmd/bench/figures"
	"storefront/cmd/bench/reference"
	"storefront/cmd/internal/must"
)

// The references are this program too, in processes of their own, and so is the service without a network.
const (
	memoryCommand  = "reference-from-memory"
	handCommand    = "reference-by-hand"
	handlerCommand = "handler"
	tablesCommand  = "tables" // prints a file of figures
)

func runCommand(ctx context.Context, args []string) error {
	return must.Run(func() {
		switch {
		case args[0] == memoryCommand && len(args) == 2:
			must.Do(reference.Serve(ctx, must.Get(reference.Memory(args[1]))))
		case args[0] == handCommand && len(args) == 1:
			hand := must.Get(reference.NewHand(os.Getenv("DATABASE_URL"), os.Getenv("TOKEN_SIGNING_KEY")))
			must.Do(reference.Serve(ctx, hand.Handler()))
		case args[0] == handlerCommand && len(args) > 2:
			printCosts(ctx, os.Getenv("DATABASE_URL"), args[1], args[2:])
		case args[0] == tablesCommand && len(args) == 2:
			must.Do(must.Get(figures.Read(args[1])).Markdown(os.Stdout))
		default:
			must.Do(fmt.Errorf("there are no arguments %q", args))
		}
	})
}
