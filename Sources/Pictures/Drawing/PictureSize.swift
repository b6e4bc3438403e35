/// How large a picture is, in px.
package struct PictureSize: Hashable, Sendable {
  /// The width and height that a picture may have, in px: a smaller one cannot be read.
  package static let range = 400...8_000

  package let width: Int
  /// Nil: as high as its contents ask for.
  package let height: Int?

  package static let standard = PictureSize(width: 1_200, height: nil)

  package init(width: Int, height: Int?) {
    self.width = width
    self.height = height
  }
}
