import Glibc

/// A sine of `turns` full turns.
package func sine64(_ turns: Double) -> Double { sin(2 * Double.pi * turns) }

package func sine(_ turns: Double) -> Float { Float(sine64(turns)) }

package func cosine(_ angle: Double) -> Double { cos(angle) }
