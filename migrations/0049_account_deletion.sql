CREATE TRIGGER `auth_users_deleted` AFTER DELETE ON `auth_users`
BEGIN
	DELETE FROM `auth_sessions` WHERE user_id = old.id;
	DELETE FROM `auth_identities` WHERE user_id = old.id;
	DELETE FROM `auth_pending_sign_ins` WHERE user_id = old.id;
	DELETE FROM `auth_recovery_codes` WHERE user_id = old.id;
	DELETE FROM `auth_factor_resets` WHERE user_id = old.id;
	DELETE FROM `auth_passkeys` WHERE user_id = old.id;
	DELETE FROM `auth_one_time_tokens` WHERE user_id = old.id;
END;
