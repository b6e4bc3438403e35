/// What engines hear of the local user.
struct LocalNews: Equatable {
  var isMuted = false
  /// Channels of the sent sound; nil without a local user.
  var channelCount: Int?
}
