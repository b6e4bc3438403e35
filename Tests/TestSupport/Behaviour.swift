public import Testing

/// Behaviours that a test shows, by their ids in Documentation/behaviours.txt; `Tests/Gates/behaviours` reads them in
/// the source.
public struct Behaviour: TestTrait, SuiteTrait {
  /// Ids such as `F14`.
  public let ids: [String]
}

extension Trait where Self == Behaviour {
  /// Says which behaviours a test shows.
  public static func shows(_ ids: String...) -> Self { Behaviour(ids: ids) }
}
