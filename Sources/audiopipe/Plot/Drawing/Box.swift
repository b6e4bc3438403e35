/// A rectangle of a figure, in px from its upper left corner.
struct Box: Hashable, Sendable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  var right: Double { x + width }
  var bottom: Double { y + height }
  /// The middle of its height.
  var centerY: Double { y + height / 2 }
}
