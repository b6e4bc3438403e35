/// A picture that can be drawn.
package protocol Picture {
  /// Computes the layout of the picture.
  func figure(_ size: PictureSize) -> Figure
}
