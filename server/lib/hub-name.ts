/** The hub's name as customers see it: the owner of its models, in errors of chats, in e-mail. */
export const HUB_NAME = "Generation Hub";
