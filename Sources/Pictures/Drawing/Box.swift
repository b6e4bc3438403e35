/// A rectangle of a figure, in px from its upper left corner.
package struct Box: Hashable, Sendable {
  package var x: Double
  package var y: Double
  package var width: Double
  package var height: Double

  package var right: Double { x + width }
  package var bottom: Double { y + height }
  /// Vertical center, in px.
  package var centerY: Double { y + height / 2 }
}
