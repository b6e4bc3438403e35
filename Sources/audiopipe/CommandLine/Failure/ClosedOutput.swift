/// Thrown when whoever reads standard output has gone: no failure, a quiet end with exit code 0.
struct ClosedOutput: Error {}
