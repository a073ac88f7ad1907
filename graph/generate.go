package graph

//go:generate go tool gqlgen --config ../gqlgen.yml
