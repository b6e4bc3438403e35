/// Size of a picture, in px.
public struct PictureSize: Hashable, Sendable {
  /// Range of a picture's width and height, in px: a smaller one cannot be read.
  public static let range = 400...8_000

  /// Width in px.
  public let width: Int
  /// Height in px; nil to derive it from the contents.
  public let height: Int?

  /// Width of 1200 px, with a height that follows from the contents.
  public static let standard = PictureSize(width: 1_200, height: nil)

  /// Creates a size from both values, each in `range`.
  public init(width: Int, height: Int?) {
    self.width = width
    self.height = height
  }
}
