/// Something that can be drawn.
protocol Picture {
  /// Lays everything out.
  func figure(_ size: PictureSize) -> Figure
}
