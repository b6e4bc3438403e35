/// Size of a picture, in px.
package struct PictureSize: Hashable, Sendable {
  /// Range of a picture's width and height, in px: a smaller one cannot be read.
  package static let range = 400...8_000

  package let width: Int
  /// Height in px; nil to derive it from the contents.
  package let height: Int?

  package static let standard = PictureSize(width: 1_200, height: nil)

  package init(width: Int, height: Int?) {
    self.width = width
    self.height = height
  }
}
