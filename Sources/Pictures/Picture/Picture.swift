/// Something that can be drawn.
package protocol Picture {
  /// Lays everything out.
  func figure(_ size: PictureSize) -> Figure
}
