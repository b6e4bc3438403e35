import Glibc

/// A sine of `turns` full turns.
func sine64(_ turns: Double) -> Double { sin(2 * Double.pi * turns) }

func sine(_ turns: Double) -> Float { Float(sine64(turns)) }

func cosine(_ angle: Double) -> Double { cos(angle) }
