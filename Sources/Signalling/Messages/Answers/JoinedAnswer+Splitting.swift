import JSON

extension JoinedAnswer {
  /// Divides an answer with many users so that it fits into a message.
  ///
  /// - Returns: The answer with the first users, and an event for each further user.
  public func split() -> (answer: JoinedAnswer, rest: [UserJoinedEvent]) {
    var left = MessageLimits.messageByteCount - with([]).text.utf8.count
    var count = 0
    for user in users.prefix(MessageLimits.userCount) {
      var json = JSONWriter()
      json.object { user.write(to: &$0) }
      // The comma in front of a user has a byte, too.
      left -= json.text.utf8.count + 1
      guard left >= 0 else { break }
      count += 1
    }
    return (
      with(Array(users.prefix(count))), users.dropFirst(count).map { UserJoinedEvent(channel: channel, user: $0) }
    )
  }

  private func with(_ users: [ChannelUser]) -> JoinedAnswer {
    JoinedAnswer(
      id: id, channel: channel, uid: uid, account: account, media: media, ssrc: ssrc, users: users,
      preloaded: preloaded, dropMilliseconds: dropMilliseconds, data: data)
  }
}
