/// State of the local user that engines follow.
struct LocalNews: Equatable {
  var isMuted = false
  /// Channels of the sent sound; nil without a local user.
  var channelCount: Int?
}
